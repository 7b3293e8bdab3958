import { newEntry } from '../requests.ts'
import { type Case, measured } from '../rounds.ts'
import { figureRow, type Row, rates } from '../rows.ts'
import { afterASecond, atOnce, never, openReceiver, type Receiver, withError } from '../webhooks.ts'
import type { Bench } from './bench.ts'

const count = 10

/** What webhooks cost the writes that they tell of: each of them wants every event, and receivers answer well, late, badly or not. */
export async function webhooks(bench: Bench): Promise<Row[]> {
  const {
    subjects: { taskwright },
    data,
  } = bench
  const receivers: Receiver[] = []
  const opened = async (answering: typeof atOnce) => {
    const receiver = await openReceiver(taskwright.base, data.writing.owner.key, count, answering)
    receivers.push(receiver)
    return receiver
  }
  try {
    const none: Case = { subject: taskwright, requests: newEntry(data) }
    const well = await opened(atOnce)
    const family = {
      ...{ none, well: { ...none, beside: well.resume } },
      late: { ...none, beside: (await opened(afterASecond)).resume },
      badly: { ...none, beside: (await opened(withError)).resume },
      unanswered: { ...none, beside: (await opened(never)).resume },
    }
    const found = await measured(family, bench)
    const row = (what: string, samples: typeof found.none) =>
      rates({ ...{ what: `POST with a key: ${what} / none`, samples, against: found.none }, target: { least: 0.9 } })
    return [
      row(`${count} webhooks of all of it`, found.well),
      row(`${count} webhooks, answered after a second`, found.late),
      row(`${count} webhooks, answered with 500`, found.badly),
      row(`${count} webhooks that nobody answers`, found.unanswered),
      figureRow(`POST with a key: what ${count} webhooks are sent beside it`, well.perSecond(), '/s'),
    ]
  } finally {
    for (const receiver of receivers) await receiver.close()
  }
}
