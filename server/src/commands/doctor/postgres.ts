import type pg from 'pg'
import { mostHeld } from '../../access/locks.ts'
import type { Config } from '../../config.ts'
import { refuseSharedBackends } from '../../db/pool/poolers.ts'
import { type CheckResult, ok, orRefusal, warning, wrong } from './finding.ts'
import { checkClock } from './machine.ts'

// the limit of connections of one process, and of several together, as in docs/settings.md for poolers
const connectionsOf = ({ workers }: Config) => (workers === 1 ? 40 : 109)
// the limit of locks of one organization: it runs eight transactions in each process, or one in each of very many processes;
// each of the 100 writes in a bulk can lock two more projects
const locksOf = ({ workers }: Config) => (mostHeld + 200) * Math.max(workers, 8 * Math.min(workers, 3))

interface Server {
  version: string
  number: number
  encoding: string
  nowMs: number
  undurable: string | null
  plans: string | null
  autovacuum: boolean
  most: number
  ofOthers: number
  locks: number
}

/** Checks PostgreSQL: version, encoding, clock, durability, planner settings, connections and locks. */
export async function checkServer(client: pg.Client, config: Config): Promise<CheckResult[]> {
  const askedMs = Date.now()
  const { rows } = await client.query<Server>(serverQuery)
  const oursMs = (askedMs + Date.now()) / 2
  const [server] = rows
  if (server === undefined) return [wrong('database', 'it does not answer')]
  return [
    server.number < 150_000
      ? wrong('database', `PostgreSQL ${server.version} is too old: 15 or newer is needed`)
      : ok('database', `PostgreSQL ${server.version}`),
    server.encoding === 'UTF8'
      ? ok('encoding', 'UTF8')
      : wrong(
          'encoding',
          `${server.encoding} cannot store every character: create the database again with encoding 'UTF8'`,
        ),
    checkClock(Number(server.nowMs) - oursMs),
    server.undurable === null
      ? ok('durability', 'committed writes are on the disk')
      : wrong('durability', `${server.undurable}: confirmed writes can be lost; set each to on`),
    ...checkPlans(server),
    checkConnections(server, connectionsOf(config)),
    checkLocks(server, locksOf(config)),
  ]
}

// this reads the settings in effect, including those of the database and the role; settings of our own connection do not count
const serverQuery = `
  select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
    current_setting('server_encoding') as encoding,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
    (select string_agg(name || ' = ' || setting, ', ' order by name) from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as undurable,
    (select string_agg(name || ' = ' || setting, ', ' order by name) from pg_settings
      where name in ('enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan', 'enable_nestloop', 'enable_hashjoin',
        'enable_sort', 'enable_material', 'enable_memoize') and setting = 'off'
        or name in ('join_collapse_limit', 'from_collapse_limit') and setting::int < 8) as plans,
    current_setting('autovacuum') = 'on' and current_setting('track_counts') = 'on' as autovacuum,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (select case when datconnlimit < 0 then 100000 else datconnlimit end from pg_database where datname = current_database()),
      (select case when rolconnlimit < 0 then 100000 else rolconnlimit end from pg_roles where rolname = current_user)
    ) as most,
    current_setting('max_locks_per_transaction')::int
      * (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) as locks,
    (select count(*) from pg_stat_activity
      where backend_type = 'client backend' and application_name not like 'taskwright%')::int as "ofOthers"`

function checkPlans({ plans, autovacuum }: Server): CheckResult[] {
  return [
    plans === null
      ? ok('plans', 'no setting prevents a plan')
      : warning('plans', `${plans}: lists become slow; reset it (alter system/database/role … reset)`),
    ...(autovacuum
      ? []
      : [wrong('autovacuum', 'it is off, so tables grow without limit; set autovacuum and track_counts to on')]),
  ]
}

function checkConnections({ most, ofOthers }: Server, wanted: number): CheckResult {
  const room = `${most - ofOthers} of ${most} connections are left by others, and a server takes ${wanted} at most`
  if (most - ofOthers < wanted) return wrong('connections', `${room}: raise max_connections, or the limit of the role`)
  return ok('connections', room)
}

/** Checks the size of the lock table: when it is full, every write of every organization is a 503. */
function checkLocks({ locks }: Server, wanted: number): CheckResult {
  const room = `there is room for ${locks} locks, and one organization may hold ${wanted}`
  if (locks < wanted) return warning('locks', `${room}: raise max_locks_per_transaction, and restart PostgreSQL`)
  return ok('locks', room)
}

/** Checks for a pooler that shares backends, which loses the session state of a connection. */
export function checkPooler(client: pg.Client, connection: pg.ClientConfig, pooled: boolean): Promise<CheckResult[]> {
  return orRefusal('pooler', async () => {
    if (!pooled) return [ok('pooler', 'there is none')]
    await refuseSharedBackends(client, connection)
    return [ok('pooler', 'there is one, and each connection has its own backend')]
  })
}

interface Replication {
  standby: boolean
  readOnly: boolean
  behindSeconds: number | null
  followers: number
  mostBehindBytes: number
  slots: string | null
}

/** Checks that the database accepts writes, and how far its standbys are behind. */
export async function checkReplication(client: pg.Client): Promise<CheckResult[]> {
  const { rows } = await client.query<Replication>(replicationQuery)
  const [{ standby, readOnly, behindSeconds, followers, mostBehindBytes, slots }] = rows as [Replication]
  const megabytes = Math.round(Number(mostBehindBytes) / 1_000_000)
  const writes = standby
    ? warning('writes', `this is a standby, so every write is 503; it is ${Math.round(behindSeconds ?? 0)} s behind`)
    : readOnly
      ? warning('writes', 'default_transaction_read_only is on, so every write is 503: set it to off')
      : ok('writes', 'the database accepts writes')
  const lag =
    megabytes > 64
      ? warning('standbys', `the last of ${followers} is ${megabytes} MB behind: look at its disk and its network`)
      : ok('standbys', followers === 0 ? 'none follows' : `${followers}, ${megabytes} MB behind at most`)
  const kept =
    slots === null
      ? []
      : [warning('slots', `nobody reads ${slots}, for which the log fills the disk: drop what is unused`)]
  return [writes, lag, ...kept]
}

const replicationQuery = `
  select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') = 'on' as "readOnly",
    case when pg_is_in_recovery() and pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
      then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end as "behindSeconds",
    (select count(*) from pg_stat_replication)::int as followers,
    case when pg_is_in_recovery() then 0 else coalesce((select max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))
      from pg_stat_replication), 0) end::float8 as "mostBehindBytes",
    (select string_agg(quote_ident(slot_name), ', ') from pg_replication_slots where not active) as slots`
