import { z } from 'zod'
import { Id, Timestamp } from '../../contract/fields.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Kind } from '../../search/kind.ts'
import { longestPiece, matchingPiece } from '../../search/matching-piece.ts'
import type { SearchTerm } from '../../search/search-terms.ts'
import { Project } from '../project.ts'
import { foundTasks, Task } from '../task.ts'

/** The kinds that a search finds, in the order of the response. Each is named as in its events. */
export const kinds = ['task', 'project', 'subtask', 'comment', 'time_entry'] as const
export type KindName = (typeof kinds)[number]

/** A kind, and the columns of its search results. */
export interface SearchKind extends Kind {
  key?: Sql
  /** the text to search besides the name */
  text?: Sql
  /** the author of a comment, or the member of a time entry */
  memberId?: Sql
  /** the task that it belongs to */
  taskId?: (orgId: string) => Sql
}

export const searchedKinds: Record<KindName, SearchKind> = {
  task: { ...foundTasks, key: sql`tasks.key`, text: sql`tasks.description` },
  subtask: {
    ...{ table: sql`subtasks`, projectId: sql`subtasks.project_id`, mayBeLong: false },
    name: sql`subtasks.name`,
    taskId: () => sql`subtasks.task_id`,
  },
  comment: {
    ...{ table: sql`comments`, projectId: sql`comments.project_id`, mayBeLong: true },
    text: sql`comments.body`,
    memberId: sql`comments.author_id`,
    taskId: () => sql`comments.task_id`,
  },
  project: {
    ...{ table: sql`projects`, projectId: sql`projects.id`, isProject: true, mayBeLong: true },
    key: sql`projects.key`,
    name: sql`projects.name`,
    text: sql`projects.description`,
  },
  time_entry: {
    ...{ table: sql`time_entries`, projectId: sql`time_entries.project_id`, mayBeLong: true },
    text: sql`time_entries.description`,
    memberId: sql`time_entries.member_id`,
    taskId: (orgId) => sql`coalesce(time_entries.task_id, (
      select subtasks.task_id from subtasks
      where subtasks.org_id = ${orgId} and subtasks.id = time_entries.subtask_id))`,
  },
}

/** The searched fields, in the order in which a snippet is chosen from them. */
const fields = ['key', 'name', 'description', 'body'] as const

const place = z
  .int()
  .min(0)
  .max(longestPiece)
  .meta({ examples: [6] })
const Snippet = z
  .strictObject({
    field: z.enum(fields).meta({ description: 'The field that the text comes from.' }),
    text: z
      .string()
      .max(longestPiece)
      .meta({
        description: `A part of the field, at most ${longestPiece} UTF-16 code units long.`,
        pattern: '^[^\\u0000]*$',
        examples: ['Paint the fence'],
      }),
    matches: z
      .array(z.strictObject({ start: place, end: place }))
      .max(longestPiece)
      .meta({
        description:
          'Where the search words are in `text`: `text.slice(start, end)`. Positions count UTF-16 code units, as ' +
          'JavaScript, Java and C# do. Matches are in ascending order and do not overlap.',
      }),
    cutBefore: z.boolean().meta({ description: 'Whether the field has more text before this part.' }),
    cutAfter: z.boolean().meta({ description: 'Whether the field has more text after this part.' }),
  })
  .meta({ id: 'Snippet', description: 'The part of a field where most of the search words are close together.' })

/** A search result. */
export const Hit = z
  .strictObject({
    kind: z.enum(kinds),
    id: Id,
    key: z
      .string()
      .max(21)
      .regex(/^[A-Z][A-Z0-9]{1,9}(-[1-9][0-9]*)?$/)
      .nullable()
      .meta({
        description: 'The key of a task (WEB-12) or a project (WEB). Null for other kinds.',
        examples: ['WEB-12'],
      }),
    name: Task.shape.name
      .nullable()
      .meta({ description: 'The name of a task, a project or a subtask. Null for other kinds.' }),
    project: Project.pick({ id: true, key: true, name: true })
      .meta({ id: 'ProjectOfHit', description: 'The id, key and name of a project.' })
      .meta({ description: 'The project that it belongs to. For a project, the project itself.' }),
    task: Task.pick({ id: true, key: true, name: true })
      .meta({ id: 'TaskOfHit', description: 'The id, key and name of a task.' })
      .nullable()
      .meta({ description: 'The task of a subtask, a comment or a time entry. Null for other kinds.' }),
    memberId: Id.nullable().meta({
      description: 'The author of a comment, or the member of a time entry. Null for other kinds.',
    }),
    createdAt: Timestamp,
    snippet: Snippet,
  })
  .meta({ id: 'SearchHit', description: 'A search result, with all that you need to show it and to open it.' })
export type Hit = z.output<typeof Hit>

interface NamedRow {
  id: string
  key: string
  name: string
}

/** The row of a hit. */
export interface HitRow {
  id: string
  key: string | null
  name: string | null
  /** the searched text besides the name: the description, or the body of a comment */
  text: string | null
  project: NamedRow
  task: NamedRow | null
  memberId: string | null
  createdAt: string
}

/**
 * Builds a hit with its snippet.
 * @param byKey the search named the key of this hit
 * @param most how many characters of each field to read; undefined: all
 */
export function* hitOf(
  kind: KindName,
  { text, ...shown }: HitRow,
  sought: readonly SearchTerm[],
  { byKey, most }: { byKey: boolean; most: number | undefined },
): Generator<void, Hit> {
  const { key, name } = shown
  const all = { key: kind === 'project' ? key : null, name, description: null, body: null }
  const snippet = byKey
    ? ofKey(key ?? '')
    : yield* snippetOf({ ...all, [kind === 'comment' ? 'body' : 'description']: text }, sought, most)
  return { kind, ...shown, snippet }
}

const ofKey = (key: string) => ({
  ...{ field: 'key' as const, text: key, matches: [{ start: 0, end: key.length }] },
  ...{ cutBefore: false, cutAfter: false },
})

/** The part of a field in which most of the search words are close together. */
function* snippetOf(
  texts: Record<(typeof fields)[number], string | null>,
  sought: readonly SearchTerm[],
  most: number | undefined,
): Generator<void, z.output<typeof Snippet>> {
  let best: { snippet: z.output<typeof Snippet>; found: number } | undefined
  for (const field of fields) {
    const text = texts[field]
    if (text === null || best?.found === sought.length) continue
    const { piece, found } = yield* matchingPiece(text, sought, most)
    if (best === undefined || found > best.found) best = { snippet: { field, ...piece }, found }
  }
  return expected(best, 'A text of what was found').snippet
}
