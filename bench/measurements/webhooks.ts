import { newEntry } from '../requests.ts'
import { type Case, measured } from '../rounds.ts'
import { figureRow, type Row, rates } from '../rows.ts'
import { openReceiver } from '../webhooks.ts'
import type { Bench } from './bench.ts'

const count = 10

/** What webhooks cost the writes that they tell of: each of them wants every event, and its receiver answers at once. */
export async function webhooks(bench: Bench): Promise<Row[]> {
  const {
    subjects: { taskwright },
    data,
  } = bench
  const receiver = await openReceiver(taskwright.base, data.writing.owner.key, count)
  try {
    const requests = newEntry(data)
    const none: Case = { subject: taskwright, requests }
    const open: Case = { ...none, beside: receiver.resume }
    const found = await measured({ none, open }, bench)
    const what = `POST with a key: ${count} webhooks of all of it / none`
    return [
      rates({ what, samples: found.open, against: found.none, target: { least: 0.9 } }),
      figureRow(`POST with a key: what ${count} webhooks are sent beside it`, receiver.perSecond(), '/s'),
    ]
  } finally {
    await receiver.close()
  }
}
