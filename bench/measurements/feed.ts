import { eventPage } from '../requests.ts'
import { measured } from '../rounds.ts'
import { type Row, rates } from '../rows.ts'
import type { Bench } from './bench.ts'

const inPage = 100

/** Events read from the feed, all over the log that the writes before have made. */
export async function feed(bench: Bench): Promise<Row[]> {
  const { subjects, data } = bench
  const { taskwright, floor } = subjects
  const { key } = data.writing.owner
  const head = await fetch(`${taskwright.base}/api/v1/events/head`, { headers: { Authorization: `Bearer ${key}` } })
  const { oldest, latest } = (await head.json()) as { oldest: number; latest: number }
  const requests = eventPage(data.writing.owner, { oldest, latest, inPage })
  const found = await measured(
    { taskwright: { subject: taskwright, requests }, floor: { subject: floor, requests } },
    bench,
  )
  const what = `events of the feed, ${inPage} in a page: taskwright / floor`
  const compared = { what, samples: found.taskwright, against: found.floor, items: inPage }
  return [rates({ ...compared, target: { least: 0.7 } })]
}
