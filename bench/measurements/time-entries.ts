import { entriesOf, page } from '../requests.ts'
import { measured } from '../rounds.ts'
import { type Row, rates } from '../rows.ts'
import type { Bench } from './bench.ts'
import { viewers } from './viewers.ts'

/** The last 50 time entries of the big organization: of its owner, and of those who see a part of it. */
export async function timeEntries(bench: Bench): Promise<Row[]> {
  const { subjects, data } = bench
  const subject = subjects.taskwright
  const { callers } = data.big
  const by = (view: keyof typeof callers) => ({ subject, requests: entriesOf(callers[view]) })
  const family = {
    page: { subject, requests: page(callers.owner) },
    ...{ owner: by('owner'), twenty: by('twenty'), twoHundred: by('twoHundred'), all: by('all') },
  }
  const { page: pages, ...found } = await measured(family, bench)
  const what = 'page of 50 time entries:'
  return [
    rates({ what: `${what} owner / page of 50 tasks`, samples: found.owner, against: pages }),
    ...viewers.map(({ view, name }) =>
      rates({
        what: `${what} ${name} / owner`,
        samples: found[view],
        against: found.owner,
        target: { least: 0.6 },
      }),
    ),
  ]
}
