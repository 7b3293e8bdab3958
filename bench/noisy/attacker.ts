import { setPriority } from 'node:os'
import { clientOf } from './client.ts'
import { harm, ways } from './ways.ts'

// A process of its own, so that what it costs to attack is not measured with what the attack does to others.

const { NOISY_BASE = '', NOISY_KEYS = '{}', NOISY_VICTIM = '' } = process.env

// nor may it take the processors from who is measured
setPriority(10)
const keys = JSON.parse(NOISY_KEYS) as Record<string, string>
const prepared = await Promise.all(
  Object.entries(keys).map(async ([name, key]) => {
    const way = await ways[name]?.({ client: clientOf(NOISY_BASE, key), victimId: NOISY_VICTIM })
    return way ?? Promise.reject(new Error(`There is no way ${name}`))
  }),
)
const stopping = new AbortController()
process.on('message', () => void Promise.all(prepared.map((way) => harm(way, stopping.signal))))
process.on('disconnect', () => process.exit())
process.send?.('prepared')
