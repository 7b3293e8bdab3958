import type pg from 'pg'
import type { Config } from '../../config.ts'
import { skippedReason } from '../../mail/send-next.ts'
import { type CheckResult, ok, orRefusal, warning } from './finding.ts'

interface QueuedMails {
  waiting: number
  late: number
  failed: number
  lastError: string | null
}

/** Checks that queued mail goes out. */
export async function checkQueuedMail(client: pg.Client, { signIn: { mail } }: Config): Promise<CheckResult[]> {
  if (mail === undefined) return []
  return orRefusal('queued mail', async () => {
    const { rows: there } = await client.query("select to_regclass('outgoing_mail') is not null as migrated")
    if (!there[0]?.migrated) return []
    const { rows } = await client.query<QueuedMails>(queuedQuery, [skippedReason])
    const [{ waiting, late, failed, lastError }] = rows as [QueuedMails]
    if (late === 0 && failed === 0) return [ok('queued mail', `${waiting} wait, and none failed since yesterday`)]
    const last = lastError === null ? '' : `, the last with: ${lastError}`
    return [
      warning('queued mail', `${late} have waited for 15 minutes or more, and ${failed} failed since yesterday${last}`),
    ]
  })
}

const queuedQuery = `
  select count(*) filter (where next_try_at is not null)::int as waiting,
    count(*) filter (where next_try_at is not null and created_at < now() - interval '15 minutes')::int as late,
    count(*) filter (where failed_at is not null)::int as failed,
    (array_agg(last_error order by coalesce(failed_at, next_try_at) desc) filter (where last_error is not null))[1] as "lastError"
  from outgoing_mail where sent_at is null and created_at > now() - interval '2 days'
    and (failed_at is null or (failed_at > now() - interval '1 day' and last_error <> $1))`
