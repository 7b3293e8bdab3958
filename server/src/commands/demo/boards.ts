import { normalizeText } from '../../db/normalize-text.ts'
import { positionGap } from '../../resources/board/order.ts'
import { momentOf } from './calendar.ts'
import type { SeedContext } from './seeding.ts'

/** A workspace with stages. */
export interface Board {
  id: string
  stages: Stage[]
}

interface Stage {
  id: string
  category: 'todo' | 'doing' | 'done'
  /** the number of tasks in the stage */
  taskCount: number
}

interface BoardPlan {
  name: string
  /** null: a board of the whole organization */
  projectId: string | null
  description?: string
  stages: readonly (readonly [name: string, category: Stage['category']])[]
}

/** Adds a workspace with its stages. */
export function addBoard(
  { mint, rows }: Pick<SeedContext, 'mint' | 'rows'>,
  wanted: BoardPlan,
  createdMs: number,
): Board {
  const { name, projectId, description = null } = wanted
  const times = { createdAt: momentOf(createdMs), updatedAt: momentOf(createdMs) }
  const id = mint(createdMs)
  rows.add('workspaces', { id, projectId, name, nameKey: normalizeText(name), description, ...times })
  const stages = wanted.stages.map(([stage, category], index): Stage => {
    const stageId = mint(createdMs)
    const own = { name: stage, nameKey: normalizeText(stage), category, position: (index + 1) * positionGap }
    rows.add('stages', { id: stageId, workspaceId: id, projectId, ...own, ...times })
    return { id: stageId, category, taskCount: 0 }
  })
  return { id, stages }
}
