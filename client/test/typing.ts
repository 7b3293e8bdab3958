/**
 * What must compile, and, behind each `@ts-expect-error`, what must not: by the number of the error and by what is wrong. It is
 * never run: `tsc` reads it, and typing.test.ts tells the cases.
 */

import type {
  BoardsGetQuery,
  BriefProject,
  Event,
  EventOf,
  Member,
  Operations,
  Subtask,
  Task,
  TaskPart,
} from '../src/index.ts'

/** Holds where two types are the same. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
const holds = <_Fact extends true>() => {}

declare const tw: Operations
declare const words: readonly TaskPart[]
declare const some: readonly (keyof Task)[]
declare const isWanted: boolean
declare const event: Event

export async function whatCompiles() {
  const task = await tw.tasks.get('WEB-12')
  holds<Same<typeof task, Task>>()
  holds<Same<typeof task.dueDate, string | null>>()
  holds<Same<typeof task.priority, 'none' | 'low' | 'medium' | 'high' | 'urgent'>>()

  for await (const one of tw.tasks.list()) holds<Same<typeof one, Task>>()
  for await (const one of tw.tasks.list({
    projectId: ['a', 'b'],
    assigneeId: 'me',
    include: ['project', 'assignees'],
  })) {
    holds<Same<typeof one.project, BriefProject | null>>()
    holds<Same<typeof one.assignees, Member[]>>()
    one.description satisfies string | null
  }
  const { data, pagination } = await tw.tasks.list({ fields: ['id', 'name'] })
  holds<Same<(typeof data)[number], Pick<Task, 'id' | 'name'>>>()
  holds<Same<typeof pagination.nextCursor, string | null>>()
  const { total } = await tw.projects.list()
  holds<Same<typeof total, number>>()

  const both = await tw.tasks.get('WEB-12', { fields: ['name'], include: ['subtasks'] })
  holds<Same<typeof both.subtasks, Subtask[]>>()
  both.subtasks[0]?.finalizedAt satisfies string | null | undefined
  both.moreSubtasks satisfies true | undefined
  both.name satisfies string

  // words that are known only at run time
  const loose = await tw.tasks.get('WEB-12', { include: words, fields: some })
  loose.project satisfies { name: string } | null | undefined
  loose.name satisfies string | undefined
  const either = await tw.tasks.get('WEB-12', { include: isWanted ? ['project'] : [] })
  if ('project' in either) either.project satisfies { name: string } | null

  const board = await tw.boards.get('workspace', { perStage: 10, include: ['assignees'] } satisfies BoardsGetQuery)
  board.stages[0]?.tasks[0]?.dueDate satisfies string | null | undefined
  board.stages[0]?.tasks[0]?.assignees satisfies Member[] | undefined
  const described = await tw.boards.get('workspace', { fields: ['description'] })
  holds<Same<(typeof described)['stages'][number]['tasks'][number], Pick<Task, 'description'>>>()
  const { timeEntry } = await tw.timer.get({ include: ['task'] })
  timeEntry?.task satisfies { key: string } | null | undefined

  await tw.tasks.create(
    { projectId: 'a', name: 'b', dueDate: null, tagIds: undefined },
    { dryRun: true, idempotencyKey: 'c' },
  )
  await tw.timeEntries.create({ taskId: 'a', durationSeconds: 60 })
  await tw.timeEntries.create({ subtaskId: 'a', taskId: null, endedAt: '2026-01-31T09:30:00Z' })
  await tw.timeEntries.update('a', { billable: true })
  await tw.stages.move('a', { beforeId: 'b' })
  await tw.stages.delete('a', { moveTasksTo: 'b' }, { ifMatch: '"1"' })
  await tw.subtasks.finalize('a', { ifMatch: '"1"', timeoutMs: 1_000, signal: AbortSignal.timeout(1_000) })
  const report = await tw.reports.time({ groupBy: ['member', 'week'] })
  report.data[0]?.group.member?.name satisfies string | null | undefined
  const { response, etag } = await tw.tags.get('a').withResponse()
  response.status satisfies number
  etag satisfies string | undefined
  // the type of an event says what its snapshot is
  event.snapshot.name satisfies unknown
  if (event.type === 'task.created') holds<Same<typeof event.snapshot.dueDate, string | null>>()
  else if (event.type === 'time_entry.updated') holds<Same<typeof event.snapshot.durationSeconds, number | null>>()
  switch (event.type) {
    case 'comment.created':
      holds<Same<typeof event.snapshot.body, string>>()
      break
    case 'tag.created':
    case 'tag.updated':
      holds<Same<typeof event, EventOf<'tag.created'> | EventOf<'tag.updated'>>>()
      event.snapshot.color satisfies string | null
  }
  for await (const one of tw.events.list({ type: ['task.*'] }))
    if (one.type === 'task.moved') one.snapshot.stageId satisfies string | null
  const nothing = await tw.tags.delete('a')
  holds<Same<typeof nothing, void>>()
}

export async function whatDoesNot() {
  const task = await tw.tasks.get('WEB-12')
  // @ts-expect-error 2339: a field that no task has
  task.title
  // @ts-expect-error 18047: a text that may be null, unchecked
  task.description.length
  // @ts-expect-error 2551: what was not included
  task.project
  // @ts-expect-error 2551: what was not included, beside what was
  ;(await tw.tasks.get('WEB-12', { include: ['project'] })).assignees
  // @ts-expect-error 2531: what was included may be null, unchecked
  ;(await tw.tasks.get('WEB-12', { include: ['project'] })).project.name
  for await (const one of tw.tasks.list({ include: ['project'], fields: ['name'] })) {
    one.project?.name
    // @ts-expect-error 2339: a field that was not asked for
    one.key
  }
  // @ts-expect-error 2532: a part by a word that is known only at run time, unchecked
  ;(await tw.tasks.get('WEB-12', { include: words })).assignees.length
  // @ts-expect-error 2339: a field that cards have only where it is asked for
  ;(await tw.boards.get('workspace')).stages[0]?.tasks[0]?.description
  // @ts-expect-error 2322: a word that include does not take here
  tw.projects.list({ include: ['assignees'] })
  // @ts-expect-error 2353: include where nothing can be included
  tw.tags.list({ include: ['project'] })
  // @ts-expect-error 2322: a field that no task has, asked for
  tw.tasks.list({ fields: ['title'] })
  // @ts-expect-error 2561: a filter that there is not
  tw.tasks.list({ projectID: 'a' })
  // @ts-expect-error 2322: a word that a filter does not take
  tw.tasks.list({ priority: 'highest' })
  // @ts-expect-error 2322: a text for a number
  tw.tasks.list({ limit: '10' })
  // @ts-expect-error 2741: a query without what it needs
  tw.search({})
  // @ts-expect-error 2554: no query where it needs one
  tw.search()
  // @ts-expect-error 2322: a report by what there is not
  tw.reports.time({ groupBy: ['year'] })
  // @ts-expect-error 2741: a body without a field that it needs
  tw.tasks.create({ name: 'Paint the fence' })
  // @ts-expect-error 2353: a body with a field that it does not take
  tw.tasks.create({ projectId: 'a', name: 'Paint the fence', title: 'Paint' })
  // @ts-expect-error 2322: null where a body takes none
  tw.tasks.create({ projectId: 'a', name: null })
  // @ts-expect-error 2353: a field that cannot be edited
  tw.tasks.update('WEB-12', { projectId: 'a' })
  // @ts-expect-error 2345: time on nothing
  tw.timeEntries.create({ durationSeconds: 60 })
  // @ts-expect-error 2345: time on two things
  tw.timeEntries.create({ taskId: 'a', subtaskId: 'b' })
  // @ts-expect-error 2345: time with two ends
  tw.timeEntries.create({ taskId: 'a', endedAt: '2026-01-31T09:30:00Z', durationSeconds: 60 })
  // @ts-expect-error 2345: a move to two places
  tw.stages.move('a', { beforeId: 'b', afterId: 'c' })
  // @ts-expect-error 2554: an edit without an id
  tw.tags.update({ name: 'Urgent' })
  // @ts-expect-error 2554: one id where it takes two
  tw.projects.members.update('a', { role: 'lead' })
  // @ts-expect-error 2559: two ids where it takes one
  tw.tags.get('a', 'b')
  // @ts-expect-error 2353: an option that the operation does not heed
  tw.tags.list({}, { ifMatch: '"1"' })
  // @ts-expect-error 2353: a key for what is no POST
  tw.tags.update('a', { name: 'Urgent' }, { idempotencyKey: 'b' })
  // @ts-expect-error 2367: a type that no event has
  if (event.type === 'task.painted') return
  // @ts-expect-error 1360: a field of the snapshot that another type has
  if (event.type === 'task.created') event.snapshot.durationSeconds satisfies number
  // @ts-expect-error 2339: an operation that there is not
  tw.tasks.archive('a')
  // @ts-expect-error 2339: something in the answer to a deletion
  ;(await tw.tags.delete('a')).id
}
