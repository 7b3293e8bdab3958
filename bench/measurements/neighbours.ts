import { openReaders } from '../readers.ts'
import { newEntry, ordinaryEntry, page } from '../requests.ts'
import { type Case, measured } from '../rounds.ts'
import { figureRow, type Row, rates } from '../rows.ts'
import { atOnce, never, openReceiver } from '../webhooks.ts'
import { openWriter } from '../writer.ts'
import type { Bench } from './bench.ts'

const writesPerSecond = 50
const [readers, webhooks] = [100, 10]

interface Open {
  close(): void | Promise<void>
}

/** What streams and webhooks of an organization that writes steadily leave of the requests of others. */
export async function neighbours(bench: Bench): Promise<Row[]> {
  const {
    subjects: { taskwright },
    data,
    places,
  } = bench
  const { owner } = data.ordinary
  const answering = await openReceiver(taskwright.base, owner.key, webhooks, atOnce)
  const silent = await openReceiver(taskwright.base, owner.key, webhooks, never)
  const writing = (open: () => Promise<Open>) => async () => {
    const opened = await open()
    const writer = openWriter(taskwright.base, ordinaryEntry(data), writesPerSecond)
    return {
      async close() {
        await writer.close()
        await opened.close()
      },
    }
  }
  const ways = {
    none: writing(async () => ({ close() {} })),
    streams: writing(() => openReaders(taskwright.base, owner.key, readers)),
    answered: writing(answering.resume),
    unanswered: writing(silent.resume),
  }
  const asked = {
    'POST with a key': newEntry(data),
    [`page of 50 tasks at ${places.length} random places`]: places.flatMap(({ cursor }) =>
      page(data.big.callers.owner, { cursor }),
    ),
  }
  try {
    const rows: Row[] = []
    for (const [name, requests] of Object.entries(asked)) {
      const beside = (way: keyof typeof ways): Case => ({ subject: taskwright, requests, beside: ways[way] })
      const family = {
        ...{ none: beside('none'), streams: beside('streams') },
        ...{ answered: beside('answered'), unanswered: beside('unanswered') },
      }
      const found = await measured(family, bench)
      const row = (what: string, samples: typeof found.none) =>
        rates({
          ...{ what: `${name}: ${what} of another organization that writes / none`, samples, against: found.none },
          target: { least: 0.9 },
        })
      rows.push(
        row(`${readers} streams`, found.streams),
        row(`${webhooks} webhooks`, found.answered),
        row(`${webhooks} webhooks that nobody answers`, found.unanswered),
      )
    }
    const sent = `${webhooks} webhooks of another organization that writes: what they are sent beside it`
    return [...rows, figureRow(sent, answering.perSecond(), '/s')]
  } finally {
    await answering.close()
    await silent.close()
  }
}
