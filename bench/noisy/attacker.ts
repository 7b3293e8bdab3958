import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { readKey } from '../../server/src/for-tools.ts'
import { clientOf } from './client.ts'
import { harm } from './way.ts'
import { ways } from './ways.ts'

// A process of its own, so that what it costs to attack is not measured with what the attack does to others.

const lowPriority = 10
const { NOISY_BASE = '', NOISY_KEYS = '{}', NOISY_VICTIM = '', NOISY_DATABASE = '', NOISY_SECONDS } = process.env

// nor may it take the processors from who is measured: in life it has its own
setPriority(lowPriority)
await writeFile('/proc/self/autogroup', String(lowPriority)).catch(() => {
  // only Linux shares the processors between sessions, and not in every container
})
const keys = JSON.parse(NOISY_KEYS) as Record<string, string>
const prepared = await Promise.all(
  Object.entries(keys).map(async ([name, key]) => {
    const way = await ways[name]?.({
      ...{ client: clientOf(NOISY_BASE, key), orgId: readKey(key)?.orgId ?? '', victimId: NOISY_VICTIM },
      ...{ database: NOISY_DATABASE, seconds: Number(NOISY_SECONDS) },
    })
    return way ?? Promise.reject(new Error(`There is no way ${name}`))
  }),
)
const stopping = new AbortController()
process.on('message', () => void Promise.all(prepared.map((way) => harm(way, stopping.signal))))
process.on('disconnect', () => process.exit())
process.send?.('prepared')
