import { z } from 'zod'
import { Id, Timestamp, text } from '../../contract/fields.ts'

/** The kinds of things that can be restored. */
export const kinds = [
  ...(['task', 'subtask', 'comment', 'time_entry', 'project', 'workspace', 'stage'] as const),
  ...(['tag', 'task_type', 'member', 'webhook'] as const),
]
export type DeletedKind = (typeof kinds)[number]

/** How much of a long text stands for a name, in characters. */
export const longestName = 255

/** Something that was deleted and can be restored. */
export const DeletedItem = z
  .strictObject({
    kind: z.enum(kinds),
    id: Id,
    name: text(0, longestName).nullable().meta({
      description:
        'The name; of a comment and of time the beginning of its text, of a webhook its address. Null: time without a description.',
      pattern: '^[^\\u0000]*$',
    }),
    projectId: Id.nullable().meta({ description: 'The project that it is in; of a project itself.' }),
    deletedAt: Timestamp,
    deletedBy: Id.nullable().meta({
      description: 'The member who deleted it. Null: the operator, or the event of it is no longer kept.',
    }),
    restorableUntil: Timestamp.meta({ description: '30 days after it was deleted.' }),
  })
  .meta({ id: 'DeletedItem', description: 'Something that was deleted and can be restored.' })
export type DeletedItem = z.output<typeof DeletedItem>
