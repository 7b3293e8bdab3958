import type { Sent } from '../generators/volley.ts'
import { askedWords } from '../load/words.ts'
import { entriesOf, oneOf, page } from '../requests.ts'
import { measured } from '../rounds.ts'
import { type Row, rates } from '../rows.ts'
import type { Bench } from './bench.ts'

/** What a client asks again that has it already: 304, beside one task. */
export async function again(bench: Bench): Promise<Row[]> {
  const { subjects, data, quick } = bench
  const subject = subjects.keeping
  const { callers, taskIds } = data.big
  const lists = {
    'page of 50 tasks': page(callers.owner),
    ...(quick ? {} : { 'time entries': entriesOf(callers.owner) }),
    ...(quick ? {} : { 'a word': page(callers.owner, { q: askedWords.common.word }) }),
    ...(quick ? {} : { 'page of 50 tasks, member of 20': page(callers.twenty) }),
  }
  const rows: Row[] = []
  for (const [name, requests] of Object.entries(lists)) {
    const what = `304 to ${name} / one task`
    const known = await Promise.all(requests.map((sent) => knowing(subject.base, sent)))
    const family = {
      known: { subject, requests: known, status: 304 },
      one: { subject, requests: oneOf(callers.owner, taskIds) },
    }
    const found = await measured(family, bench)
    rows.push(rates({ what, samples: found.known, against: found.one, target: { least: 0.9 } }))
  }
  return rows
}

/** The same request of a client that was answered before; without an ETag it is the same one. */
async function knowing(base: string, sent: Sent): Promise<Sent> {
  const { path, ...options } = sent
  const response = await fetch(base + path, options)
  await response.arrayBuffer()
  const tag = response.headers.get('etag')
  return tag === null ? sent : { ...sent, headers: { ...sent.headers, 'If-None-Match': tag } }
}
