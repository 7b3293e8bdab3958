import type { Sent } from '../generators/volley.ts'
import type { Filters, View } from '../load/data.ts'
import { askedWords } from '../load/words.ts'
import { page, searchOf } from '../requests.ts'
import { type Case, measured, type Sample } from '../rounds.ts'
import { type Row, rates } from '../rows.ts'
import type { Bench } from './bench.ts'
import type { Family } from './family.ts'
import { viewers } from './viewers.ts'

type Query = Record<string, string | string[]>

const { third, common, hundredth, thousandth, hidden } = askedWords
const q = (words: string) => () => ({ q: words })

/** What is searched for. */
export const searches: Record<string, () => Query> = {
  'a word in a third of tasks': q(third.word),
  'a word in 1 of 100': q(hundredth.word),
  'a word in 1 of 1,000': q(thousandth.word),
  'a word hidden from members of some': q(hidden.word),
  'two words': q(`${third.word} ${hundredth.word}`),
  'a common and a seldom word': q(`${common.word} ${thousandth.word}`),
  'a phrase': q(`"${third.word} ${common.word}"`),
  'a prefix': q('kam*'),
}

/** Every other filter of tasks; all callers see the shared project. */
export const filters: Record<string, (filters: Filters) => Query> = {
  project: ({ shared }) => ({ projectId: shared.projectId }),
  workspace: ({ shared }) => ({ workspaceId: shared.workspaceId }),
  stage: ({ shared }) => ({ stageId: shared.stageId }),
  'stage category': () => ({ stageCategory: 'doing' }),
  type: ({ typeId }) => ({ typeId }),
  assignee: ({ shared }) => ({ assigneeId: shared.assigneeId }),
  creator: ({ creatorId }) => ({ createdBy: creatorId }),
  tag: ({ commonTagId }) => ({ tagId: commonTagId }),
  'any of two tags': ({ commonTagId, secondTagId }) => ({ anyTagId: [commonTagId, secondTagId] }),
  priority: () => ({ priority: 'urgent' }),
  completed: () => ({ completed: 'false' }),
  'due date': ({ middle }) => ({ dueDate: dayOf(middle) }),
  'due before': ({ middle }) => ({ dueBefore: dayOf(middle) }),
  'due after': ({ middle }) => ({ dueAfter: dayOf(middle) }),
  'created before': ({ middle }) => ({ createdBefore: middle }),
  'created after': ({ middle }) => ({ createdAfter: middle }),
  'updated after': ({ middle }) => ({ updatedAfter: middle }),
}

const dayOf = (moment: string) => moment.slice(0, 10)

/** A family for each search: the owner beside the page that looks for nothing, and those who see a part beside the owner. */
export const words: readonly Family[] = [
  ...Object.entries(searches).map(([name, query]) => searchFamily(name, query, 0.4)),
  ...Object.entries(filters).map(([name, filter]) =>
    searchFamily(
      `a word and ${name}`,
      (given) => ({ q: common.word, ...filter(given) }),
      name === 'project' ? 0.5 : 0.4,
    ),
  ),
]

function searchFamily(name: string, query: (filters: Filters) => Query, least: number): Family {
  const rows = (bench: Bench) => {
    const { callers, filters } = bench.data.big
    const asked = query(filters)
    return compared(bench, `search for ${name}`, least, (view) => page(callers[view], asked))
  }
  const inQuick = query === searches['a word in a third of tasks']
  return { name: `search for ${name}`, inQuick, rows }
}

/** Search of all kinds of things at once. */
export const everything: readonly Family[] = Object.entries({ 'a third': third, '1 of 1,000': thousandth }).map(
  ([share, { word }]) => {
    const name = `search of everything, a word in ${share} of tasks`
    const rows = (bench: Bench) =>
      compared(bench, name, undefined, (view) => searchOf(bench.data.big.callers[view], word))
    return { name, inQuick: false, rows }
  },
)

/** The owner beside the page, and those who see a part beside the owner; in a quick run only one of them. */
async function compared(
  bench: Bench,
  what: string,
  least: number | undefined,
  asked: (view: View) => readonly Sent[],
): Promise<Row[]> {
  const { subjects, data, quick } = bench
  const subject = subjects.taskwright
  const members = quick ? viewers.slice(0, 1) : viewers
  const cases = members.map(({ view }): [string, Case] => [view, { subject, requests: asked(view), mayBeEmpty: true }])
  const family = {
    page: { subject, requests: page(data.big.callers.owner) },
    owner: { subject, requests: asked('owner') },
  }
  const { page: pages, owner, ...seen } = await measured({ ...family, ...Object.fromEntries(cases) }, bench)
  const target = least === undefined ? {} : { target: { least } }
  return [
    rates({ what: `${what}: owner / page of 50 tasks`, samples: owner, against: pages, ...target }),
    ...members.map(({ view, name }) =>
      rates({
        what: `${what}: ${name} / owner`,
        samples: (seen as Record<string, Sample[]>)[view] ?? [],
        against: owner,
        target: { least: 0.5 },
      }),
    ),
  ]
}
