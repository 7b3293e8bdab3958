import { flagsOf, positionalsOf } from '../operations/flags.ts'
import type { Operation, Parameter } from '../operations/operation.ts'
import { wordsOf } from '../operations/words.ts'

/** Examples that are better than generated ones. */
const chosen: Record<string, readonly string[]> = {
  'tasks.list': [
    'tw tasks list --project WEB --assignee me --all',
    'tw tasks list --stage-category doing --sort -updatedAt --json',
  ],
  'tasks.create': [
    'tw tasks create --project WEB --name "Fix the header" --assignee ann@example.org --tag urgent --due-date 2026-11-30',
  ],
  'tasks.update': ['tw tasks update WEB-12 --priority high --due-date null'],
  'tasks.move': ['tw tasks move WEB-12 --stage Doing'],
  'projects.members.add': ['tw projects members add WEB --member ann@example.org --role viewer'],
  'reports.time': [
    'tw reports time --group-by member,week --from 2026-11-01 --to 2026-11-30',
    'tw reports time --group-by day --from -7d',
  ],
  'reports.tasks': ['tw reports tasks --group-by assignee,stage --project WEB'],
  'timeEntries.create': ['tw time-entries create --task WEB-12 --started-at "2026-11-03T09:00" --duration 1h30m'],
  'timer.start': ['tw timer start WEB-12'],
  'timer.stop': ['tw timer stop', 'tw timer stop --at 17:30'],
  'workspaces.create': ['tw workspaces create --project WEB --name Board --stages "To do,Doing,Done"'],
  search: ['tw search plan', `tw search '"garden fence" -paint' --kinds task,comment`],
  bulk: ['tw bulk --body @changes.json'],
  'events.list': ['tw events list --type task.* --after 100'],
}

/** The examples of an operation. */
export const exampleOf = (operation: Operation): readonly string[] => chosen[operation.name] ?? [madeUp(operation)]

/** Examples of some operations of a noun. */
export const examplesOfNoun = (operations: readonly Operation[]): readonly string[] =>
  operations.slice(0, 3).flatMap((operation) => exampleOf(operation).slice(0, 1))

function madeUp(operation: Operation): string {
  const places = positionalsOf(operation).filter(({ required }) => required)
  const flags = flagsOf(operation).filter(({ parameter }) => !places.includes(parameter))
  const required = flags.filter(({ parameter }) => parameter.required)
  const written = flags.filter(({ parameter }) => parameter.in === 'body')
  const shown = required.length > 0 || operation.method === 'GET' ? required : written.slice(0, 1)
  const given = shown.map(({ name, parameter }) => `--${name} ${sample(parameter)}`)
  return ['tw', ...wordsOf(operation), ...places.map(sample), ...given].join(' ')
}

function sample({ type, of, words = [], name }: Parameter): string {
  const byKind = {
    project: 'WEB',
    task: 'WEB-12',
    member: 'ann@example.org',
    workspace: 'Board',
    stage: 'Doing',
    type: 'Bug',
    tag: 'urgent',
  }
  if (type === 'id') return of ? byKind[of] : '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'
  const [word] = words
  if (word !== undefined) return word
  const byName: Record<string, string> = {
    email: 'ann@example.org',
    url: 'https://example.org/hooks',
    body: '"Looks good"',
    timezone: 'Europe/Vienna',
  }
  const byType = {
    integer: '1',
    boolean: '',
    date: '2026-11-30',
    moment: '2026-11-30T09:00',
    json: `'{}'`,
    text: '"A name"',
  }
  return byName[name.split('.').at(-1) ?? ''] ?? byType[type]
}
