import type { Generator } from './generators/generator.ts'
import { filled, type Outcome, type Sent } from './generators/volley.ts'
import { processorUs, treeProcessorUs } from './processor.ts'
import type { Subject } from './subjects/subject.ts'

/** Requests to one subject, as they are measured. */
export interface Case {
  subject: Subject
  requests: readonly Sent[]
  /** how many connections send them; 32 */
  connections?: number
  /** what each of them is answered with; any success where it does not say */
  status?: number
  /** whether an answer may hold nothing */
  mayBeEmpty?: boolean
  /** what is open beside them while they are sent */
  beside?: () => Promise<{ close(): void | Promise<void> }>
}

export interface Sample extends Outcome {
  perSecond: number
  /** processor time of the subject's process per request */
  cpuUs: number | undefined
  /** the same of PostgreSQL, all of its processes together */
  postgresUs: number | undefined
}

interface Pace {
  rounds: number
  seconds: number
  /** before the first round */
  warmUpSeconds: number
}

/** What families of cases are measured with. */
export interface Means {
  generator: Generator
  pace: Pace
  /** the first process of PostgreSQL, where it runs on this machine */
  postmaster: number | undefined
  say(sentence: string): void
}

/** A case is not answered as it should be. */
export class Unanswered extends Error {}

/**
 * Asks cases that are compared with each other in rounds, all of them in each round, forwards and backwards in turn.
 * @returns the samples of each, by round
 * @throws Unanswered before anything is measured
 */
export async function measured<Family extends Record<string, Case | undefined>>(
  family: Family,
  means: Means,
): Promise<{ [name in keyof Family]: Sample[] }> {
  const cases = Object.entries(family).flatMap(([name, asked]) =>
    asked ? [{ name, asked, samples: [] as Sample[] }] : [],
  )
  const { rounds, seconds, warmUpSeconds } = means.pace
  for (const { name, asked } of cases) await proven(name, asked)
  if (warmUpSeconds > 0) for (const { asked } of cases) await sample(asked, means, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    means.say(`Round ${round + 1} of ${rounds}: ${cases.map(({ name }) => name).join(' · ')}`)
    for (const { asked, samples } of round % 2 === 0 ? cases : cases.toReversed()) {
      samples.push(await sample(asked, means, seconds))
    }
  }
  return Object.fromEntries(cases.map(({ name, samples }) => [name, samples])) as { [name in keyof Family]: Sample[] }
}

async function sample(
  { subject, requests, connections = 32, beside }: Case,
  { generator, postmaster }: Means,
  seconds: number,
): Promise<Sample> {
  const opened = await beside?.()
  const used = () => [processorUs(subject.pid), treeProcessorUs(postmaster)] as const
  const before = used()
  const outcome = await generator.run({ base: subject.base, requests, connections, seconds })
  const [cpuUs, postgresUs] = used().map((after, place) => {
    const from = before[place]
    return after === undefined || from === undefined ? undefined : (after - from) / outcome.requests
  })
  await opened?.close()
  return { ...outcome, perSecond: outcome.requests / outcome.seconds, cpuUs, postgresUs }
}

/** @throws Unanswered unless the first and the last request of a case are answered with success and with something in it */
async function proven(name: string, { subject, requests, status, mayBeEmpty = false }: Case): Promise<void> {
  for (const sent of [requests.at(0), requests.at(-1)]) {
    if (sent === undefined) throw new Error(`${name} sends nothing`)
    const { path, ...options } = filled(sent)
    const response = await fetch(subject.base + path, options)
    const text = await response.text()
    if (status !== undefined && response.status === status) continue
    const empty = text === '' || /^{"data":\[\]/.test(text)
    if (status === undefined && response.ok && (mayBeEmpty || !empty)) continue
    throw new Unanswered(
      `${name}: ${subject.name} answers ${sent.method} ${path} with ${response.status} ${text.slice(0, 300)}`,
    )
  }
}
