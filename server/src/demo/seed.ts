import { setImmediate as breath } from 'node:timers/promises'
import type { CopyTransaction } from '../db/copy/copy-transaction.ts'
import { inCopyTransaction } from '../db/copy/copy-transaction.ts'
import { setIndexesAside } from '../db/copy/indexes.ts'
import { checkReferences, postponeReferences } from '../db/copy/references.ts'
import type { Database } from '../db/database.ts'
import { normalizeText } from '../db/normalize-text.ts'
import { calendarBefore, momentOf } from './calendar.ts'
import { eventsUntil } from './events.ts'
import type { Ground } from './ground.ts'
import { mintFrom } from './ids.ts'
import { addKey, type Holder, holdersOf, type Key } from './keys.ts'
import { addLabels } from './labels.ts'
import { addPeople } from './people.ts'
import { portionsOnto } from './portions.ts'
import type { ProgressTeller } from './progress.ts'
import { addProjects, type Project } from './projects.ts'
import { randomFrom } from './random.ts'
import { rowsOf, tables } from './rows.ts'
import { type Scale, scaleOf } from './scale.ts'
import { agencies } from './words/organization.ts'
import { yearOf } from './year.ts'

export interface WantedYear {
  /** the same number makes the same organization, counted back from the moment */
  seed: number
  tasks: number
  /** who gets an API key */
  keysFor: readonly Holder['as'][]
  nowMs?: number
}

export interface Seeded extends Scale {
  orgId: string
  name: string
  keys: Key[]
}

// from here on building indexes at the end is worth it
const manyTasks = 20_000

/**
 * Makes an organization with a year of believable work behind it, in one transaction; nobody sees it before it is whole.
 * Of its last days it has events too, as if it had been used; those before are as good as removed since.
 */
export async function seed(db: Database, wanted: WantedYear, progress: ProgressTeller): Promise<Seeded> {
  const { nowMs = Date.now() } = wanted
  const scale = scaleOf(wanted.tasks)
  const random = randomFrom(wanted.seed)
  const mint = mintFrom(random, randomFrom(tailOf(wanted.seed, nowMs)))
  const day = calendarBefore(nowMs)
  const foundedMs = day(-21) + 10 * 3_600_000
  const orgId = mint(foundedMs)
  const events = eventsUntil(nowMs, { scale, day, random: randomFrom(wanted.seed) })
  const ground: Ground = { random, mint, day, nowMs, rows: rowsOf(orgId), events }

  return inCopyTransaction(db, async (tx) => {
    const postponed = await postponeReferences(tx)
    const buildIndexes = scale.tasks < manyTasks ? undefined : await setIndexesAside(tx, tables)
    const name = random.pick(agencies)
    const founded = { createdAt: momentOf(foundedMs), updatedAt: momentOf(foundedMs) }
    ground.rows.add('organizations', { name, timezone: 'Europe/London', ...founded })
    const people = addPeople(ground, scale.members, `${normalizeText(name).replace(/[^a-z]+/g, '-')}.example`)
    const labels = addLabels(ground)
    const projects = addProjects(ground, people, scale.projects)
    const holders = holdersOf(people, projects).filter(({ as }) => wanted.keysFor.includes(as))
    const keys = holders.map((holder): Key => {
      const { secret, item } = addKey(ground, orgId, holder.person.id, 'First key')
      events.tell({ type: 'api_key.created', by: null, item })
      return { ...holder, secret }
    })

    const portions = portionsOnto(tx)
    const workers = [...people.leaders, ...people.staff]
    for (const made of yearOf(ground, { labels, people: workers, projects, scale })) {
      await breath()
      if (!portions.isFull(ground.rows)) continue
      await portions.send(ground.rows)
      progress.tell(made)
    }
    events.addTo(ground.rows)
    await portions.send(ground.rows)
    await portions.arrived()
    progress.end()
    await buildIndexes?.()
    await countTasks(tx, orgId, projects)
    await tx.query(`analyze ${tables.join(', ')}`)
    if (postponed) await checkReferences(tx, orgId, tables)
    return { orgId, name, keys, ...scale }
  })
}

/** A number for what differs from run to run. */
const tailOf = (seed: number, nowMs: number) => seed ^ (nowMs % 2 ** 32) ^ Math.floor(nowMs / 2 ** 32)

const countTasks = (tx: CopyTransaction, orgId: string, projects: readonly Project[]) =>
  tx.query(
    `update projects set last_task_number = made.number from unnest($2::uuid[], $3::integer[]) as made (id, number)
     where projects.org_id = $1 and projects.id = made.id`,
    [orgId, projects.map(({ id }) => id), projects.map(({ lastNumber }) => lastNumber)],
  )
