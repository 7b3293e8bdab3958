import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { unauthorized } from '../../contract/errors.ts'
import { words } from '../../contract/fields.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import { expected } from '../../db/expected.ts'
import { readHead } from '../../events/head.ts'
import type { Asking } from '../../lists/include.ts'
import { route } from '../../operations/route.ts'
import { ApiKey, apiKey, visibleTo } from '../api-keys/api-key.ts'
import { Head } from '../events/event.ts'
import { Member, member } from '../member.ts'
import { Subtask } from '../subtask.ts'
import { BriefTask } from '../task.ts'
import { besideTime } from '../time/include.ts'
import { running } from '../time/record-time.ts'
import { TimeEntry } from '../time-entry.ts'
import { Organization, organization } from './organization.ts'

const RunningTime = TimeEntry.omit({ description: true })
  .extend({ task: BriefTask.nullable(), subtask: Subtask.nullable() })
  .meta({ id: 'RunningTime', description: 'The time entry that is running, with what it is on.' })
type RunningTime = z.output<typeof RunningTime>

const parts = ['timer', 'eventsHead'] as const

const Me = z
  .strictObject({
    member: Member,
    organization: Organization,
    apiKey: ApiKey,
    timer: RunningTime.nullable().optional().meta({ description: 'Your timer: null when none runs.' }),
    eventsHead: Head.optional(),
  })
  .meta({ id: 'FullMe', description: 'Who the API key belongs to, with what `include` asked for.' })

/** What a client reads first. */
export const me = route('GET /me', {
  name: 'me.read',
  summary: 'Read who you are: your member, your organization, your key',
  description:
    'A page that follows events begins with this: `eventsHead` is read before the rest, so nothing lies between it and what is ' +
    'read from then on.',
  roles: everyone,
  query: z.strictObject({ include: words(parts, parts.length).optional() }),
  returns: Me,
  // when a key was last used is no event
  changes: 'without events',
  async handle(asked) {
    const { db, caller, query } = asked
    const isWanted = (part: (typeof parts)[number]) => query.include?.includes(part)
    const head = isWanted('eventsHead') ? await readHead(db, caller.orgId) : undefined
    const [[me], [mine], [key], timer] = await Promise.all([
      member.load(db, caller, { ids: [caller.memberId], lock: 'none' }),
      organization.load(db, caller, { ids: [caller.orgId], lock: 'none' }),
      apiKey.load(db, caller, { ids: [caller.keyId], lock: 'none' }),
      isWanted('timer') ? readTimer(asked) : undefined,
    ])
    // removed since it was let in
    if (me === undefined || key === undefined) throw unauthorized()
    return {
      member: me.item,
      organization: expected(mine, 'The organization').item,
      apiKey: visibleTo(caller)(key.item),
      ...(timer !== undefined && { timer }),
      ...(head && { eventsHead: { oldest: head.oldest, latest: head.latest } }),
    }
  },
})

/** The time of the caller that is running, with what it is on. */
async function readTimer({ db, caller, now }: Asking): Promise<RunningTime | null> {
  const entry = await running({ db, caller }, caller.memberId, 'none')
  if (entry === undefined) return null
  const full = await besideTime.inItem({ db, caller, now, query: { include: ['task', 'subtask'] } }, entry)
  const { description: _, ...brief } = full instanceof Prerendered ? full.item : full
  return brief as RunningTime
}
