import { z } from 'zod'
import { includable } from '../../lists/include.ts'
import { valueOfEach } from '../../lists/parts.ts'
import { taskCounts } from '../task-counts.ts'
import { Stage } from './stage.ts'

/** What may be included beside a stage. */
export const besideStage = includable<Stage>(Stage, 'A stage', {
  taskCount: valueOfEach(
    z.int().min(0).max(2_147_483_647).meta({ description: 'How many tasks that you see stand in it.' }),
    0,
    ({ db, caller }, ids) => taskCounts(db, caller, ids),
  ),
})
