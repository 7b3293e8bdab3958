import type { Generator, Outcome, Sent } from './generators/generator.ts'
import { processorUs } from './processor.ts'
import type { Subject } from './subjects/subject.ts'

/** Requests to one subject, as they are measured. */
export interface Case {
  subject: Subject
  requests: readonly Sent[]
  /** how many connections send them; 32 */
  connections?: number
  /** what is open beside them while they are sent */
  beside?: () => Promise<{ close(): void | Promise<void> }>
}

export interface Sample extends Outcome {
  perSecond: number
  /** processor time of the subject's process per request */
  cpuUs: number | undefined
}

export interface Pace {
  rounds: number
  seconds: number
  /** before the first round */
  warmUpSeconds: number
}

/**
 * Asks cases that are compared with each other in rounds, all of them in each round, forwards and backwards in turn.
 * @returns the samples of each, by round
 */
export async function measured<Family extends Record<string, Case | undefined>>(
  family: Family,
  generator: Generator,
  { rounds, seconds, warmUpSeconds }: Pace,
  say: (sentence: string) => void,
): Promise<{ [name in keyof Family]: Sample[] }> {
  const cases = Object.entries(family).flatMap(([name, asked]) =>
    asked ? [{ name, asked, samples: [] as Sample[] }] : [],
  )
  for (const { name, asked } of cases) {
    await proven(name, asked)
    if (warmUpSeconds > 0) await sample(asked, generator, warmUpSeconds)
  }
  for (let round = 0; round < rounds; round++) {
    say(`Round ${round + 1} of ${rounds}: ${cases.map(({ name }) => name).join(' · ')}`)
    for (const { asked, samples } of round % 2 === 0 ? cases : cases.toReversed()) {
      samples.push(await sample(asked, generator, seconds))
    }
  }
  return Object.fromEntries(cases.map(({ name, samples }) => [name, samples])) as { [name in keyof Family]: Sample[] }
}

async function sample({ subject, requests, connections = 32, beside }: Case, generator: Generator, seconds: number) {
  const opened = await beside?.()
  const before = processorUs(subject.pid)
  const outcome = await generator.run({ base: subject.base, requests, connections, seconds })
  const after = processorUs(subject.pid)
  await opened?.close()
  const cpuUs = before === undefined || after === undefined ? undefined : (after - before) / outcome.requests
  return { ...outcome, perSecond: outcome.requests / outcome.seconds, cpuUs }
}

/** @throws Error unless the first and the last request of a case are answered with success and with something in it */
async function proven(name: string, { subject, requests }: Case): Promise<void> {
  for (const sent of [requests.at(0), requests.at(-1)]) {
    if (sent === undefined) throw new Error(`${name} sends nothing`)
    const filled = JSON.parse(JSON.stringify(sent).replaceAll('{unique}', crypto.randomUUID())) as Sent
    const { path, ...options } = filled
    const response = await fetch(subject.base + path, options)
    const text = await response.text()
    const empty = text === '' || /^{"data":\[\]/.test(text)
    if (response.ok && !empty) continue
    throw new Error(
      `${name}: ${subject.name} answers ${sent.method} ${path} with ${response.status} ${text.slice(0, 300)}`,
    )
  }
}
