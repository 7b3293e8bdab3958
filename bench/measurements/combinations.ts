import { Agent, get } from 'node:http'
import { randomFrom } from '../../server/src/for-tools.ts'
import type { Sent } from '../generators/volley.ts'
import type { View } from '../load/data.ts'
import { page } from '../requests.ts'
import { figureRow, type Row } from '../rows.ts'
import type { Bench } from './bench.ts'
import { filters, searches } from './words.ts'

const connections = 8
const combinations = 400
const orders = ['createdAt', 'updatedAt', 'dueDate', 'priority', 'completedAt'].flatMap((by) => [by, `-${by}`])
const views: readonly View[] = ['owner', 'all', 'twoHundred', 'twenty']

interface Answer {
  query: string
  ms: number
  isAnswered: boolean
}

/**
 * Filters of tasks alone, in pairs and in threes, with and without words, in any order: each asked once, by several
 * connections at a time. The rows say how long 95 of 100 took, and the longest; the slowest are told.
 */
export async function combined(bench: Bench): Promise<Row[]> {
  const { subjects, data, say } = bench
  const rows: Row[] = []
  for (const view of views) {
    const queries = randomQueries(data.big.filters)
    const sent = queries.flatMap((query) => page(data.big.callers[view], query))
    const answers = (await answersTo(subjects.taskwright.base, sent)).toSorted((one, other) => one.ms - other.ms)
    const at = (share: number) => answers[Math.min(answers.length - 1, Math.floor(answers.length * share))]?.ms
    const unanswered = answers.filter(({ isAnswered }) => !isAnswered).length
    for (const { query, ms } of answers.slice(-5)) say(`${view}: ${Math.round(ms)} ms ${query}`)
    const what = `${combinations} combinations of filters, ${view}${unanswered ? ` (${unanswered} not answered)` : ''}`
    rows.push(
      figureRow(`${what}: p50`, at(0.5), ' ms'),
      figureRow(`${what}: p95`, at(0.95), ' ms', { most: 100 }),
      figureRow(`${what}: longest`, at(1), ' ms'),
    )
  }
  return rows
}

function randomQueries(given: Parameters<(typeof filters)[string]>[0]) {
  const random = randomFrom(17)
  const conditions = [...Object.values(filters), ...Object.values(searches)]
  return Array.from({ length: combinations }, () => {
    const chosen = random.shuffled(conditions).slice(0, random.between(1, 3))
    const query = Object.assign({}, ...chosen.map((condition) => condition(given))) as Record<string, string | string[]>
    return random.chance(0.5) ? { ...query, sort: random.pick(orders) } : query
  })
}

async function answersTo(base: string, requests: readonly Sent[]): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const left = [...requests]
  const answers: Answer[] = []
  const one = async () => {
    for (let sent = left.shift(); sent; sent = left.shift()) answers.push(await answerTo(base, sent, agent))
  }
  await Promise.all(Array.from({ length: connections }, one))
  agent.destroy()
  return answers
}

function answerTo(base: string, { path, headers }: Sent, agent: Agent): Promise<Answer> {
  const began = performance.now()
  const answer = (isAnswered: boolean) => ({ query: path, ms: performance.now() - began, isAnswered })
  return new Promise((resolve) => {
    const request = get(new URL(path, base), { headers, agent }, (response) => {
      response.resume().on('end', () => resolve(answer(response.statusCode === 200)))
    })
    request.on('error', () => resolve(answer(false)))
  })
}
