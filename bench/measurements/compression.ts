import { accepting, oneOf, page } from '../requests.ts'
import { measured } from '../rounds.ts'
import { figureRow, type Row, rates } from '../rows.ts'
import type { Bench } from './bench.ts'

/** What compressing a page costs, and what it saves; that of one task, which is too short for it, costs nothing. */
export async function compression(bench: Bench): Promise<Row[]> {
  const { subjects, data, quick } = bench
  const subject = subjects.taskwright
  const { callers, taskIds } = data.big
  const [pages, tasks] = [page(callers.owner), oneOf(callers.owner, taskIds)]
  const family = {
    'as it is': { subject, requests: pages },
    gzip: { subject, requests: accepting('gzip', pages) },
    ...(quick
      ? {}
      : {
          one: { subject, requests: tasks },
          'one by gzip': { subject, requests: accepting('gzip', tasks) },
        }),
  }
  const found = await measured(family, bench)
  const gzipped = 'page of 50 tasks by gzip'
  const [sent] = accepting('gzip', pages)
  const { headers } = await fetch(subject.base + sent?.path, { headers: sent?.headers ?? {} })
  const rows: Row[] = [
    rates({ what: `${gzipped} / as it is`, samples: found.gzip, against: found['as it is'], target: { least: 0.5 } }),
    figureRow(gzipped, Number(headers.get('content-length')) / 1_000, ' kB'),
  ]
  if (found.one && found['one by gzip']) {
    const what = 'one task, of who accepts gzip / of who does not'
    rows.push(rates({ what, samples: found['one by gzip'], against: found.one, target: { least: 0.95 } }))
  }
  return rows
}
