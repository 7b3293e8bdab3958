import { join } from 'node:path'
import { z } from 'zod'
import { readSubnet, type Subnet } from './contract/addresses.ts'
import { type SignInSettings, signInEnvironment, signInSettings } from './sign-in-config.ts'

/** Names the invalid settings, one plain sentence for each. */
export class ConfigProblem extends Error {}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const duration = z
  .string()
  .regex(/^[1-9][0-9]{0,5}[smhd]$/, 'must be a duration such as 90s, 30m, 72h or 7d')
  .transform(millisecondsOf)

const delay = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,5})[smhd]$/, 'must be a duration such as 0s, 15s or 2m')
  .transform(millisecondsOf)

// the server purges deleted data after 30 days: no event or stored response may outlive it
const atMost30Days = duration.refine((ms) => ms <= 30 * units.d, 'must be 30d at most')

const port = z
  .string()
  .regex(/^[0-9]{1,5}$/, 'must be a port from 0 to 65535; 0 picks a free one')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port from 0 to 65535; 0 picks a free one')

const workers = z
  .string()
  .regex(/^[1-9][0-9]?$/, 'must be a number of processes from 1 to 64')
  .transform(Number)
  .refine((number) => number <= 64, 'must be a number of processes from 1 to 64')

const kept = z
  .string()
  .regex(/^[1-9][0-9]{0,2}$/, 'must be a number of backups from 1 to 999')
  .transform(Number)

const rateLimit = z
  .string()
  .regex(/^[1-9][0-9]{0,8}\/[1-9][0-9]{0,5}[smhd]$/, 'must be requests per time such as 600/1m')
  .transform((text) => {
    const [requests, window] = text.split('/')
    return { requests: Number(requests), windowMs: duration.parse(window) }
  })

const origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)),
    'must be origins such as https://app.example.com, separated by commas',
  )

const publicUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://example.com/tasks/' })
  .regex(/^[^@?#]*$/, 'must have no user, query and fragment')
  .transform((url) => new URL(url).href.replace(/\/$/, ''))

const subnets = z.string().transform((list, refused) =>
  list.split(',').flatMap((written): Subnet[] => {
    const subnet = readSubnet(written.trim())
    if (subnet) return [subnet]
    const message = `must be subnets such as 127.0.0.0/8,10.0.0.0/8,fd00::/8, with zeros behind the prefix`
    refused.addIssue({ code: 'custom', message })
    return z.NEVER
  }),
)

const trustedProxies = z.union(
  [
    z
      .string()
      .regex(/^[1-9]$/)
      .transform(Number),
    subnets,
  ],
  { error: 'must be a number of proxies from 1 to 9, or their subnets such as 10.0.0.0/8,fd00::/8' },
)

// no message shows the URL: it holds the password, and an unencoded character can make part of it look like the host
const databaseUrl = z
  .string()
  .refine((url) => url !== '', {
    error: 'must not be empty: leave it out to use the embedded database',
    abort: true,
  })
  .refine((url) => /^postgres(ql)?:\/\//.test(url) && (url.includes('@') || isReadable(url)), {
    error: 'must be a URL such as postgres://user:password@host:5432/database',
    abort: true,
  })
  .refine(
    (url) => !/^[^/?#]*[/?#][^@]*@/.test(url.slice(url.indexOf('//') + 2)) && isReadable(url),
    'must have each @ / ? # % of its user and password written as %40 %2F %3F %23 %25',
  )

/** The environment variables that a server reads. */
export const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  DATA_DIR: z.string().min(1, 'must not be empty: leave it out to use data').default('data'),
  DATABASE_URL: databaseUrl.optional(),
  OPERATOR_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, 'must have at least 16 visible ASCII characters')
    .optional(),
  SECRET_KEY: z
    .string()
    .regex(/^[!-~]{32,}$/, 'must have at least 32 visible ASCII characters')
    .optional(),
  PUBLIC_URL: publicUrl.optional(),
  CORS_ORIGINS: origins.default([]),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  LOG_TIME: z.enum(['epoch', 'iso'], { error: 'must be epoch or iso' }).default('epoch'),
  LOG_FORMAT: z.enum(['json', 'pretty'], { error: 'must be json or pretty' }).optional(),
  TRUST_PROXY: trustedProxies.optional(),
  TRUST_PROXY_HEADER: z
    .enum(['x-forwarded-for', 'forwarded'], { error: 'must be x-forwarded-for or forwarded' })
    .default('x-forwarded-for'),
  RATE_LIMIT: rateLimit.optional(),
  RATE_LIMIT_ORGANIZATION: rateLimit.optional(),
  IDEMPOTENCY_TTL: atMost30Days.default(72 * units.h),
  EVENT_RETENTION: atMost30Days.default(30 * units.d),
  AUDIT_RETENTION: duration.default(365 * units.d),
  WORKERS: workers.default(1),
  DRAIN_DELAY: delay.default(0),
  WEBHOOK_ALLOWED_SUBNETS: subnets.default([]),
  COMPRESSION: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  MCP: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  BACKUP_EVERY: duration.optional(),
  BACKUP_KEEP: kept.default(7),
  BACKUP_DIR: z.string().optional(),
  READY_WHEN: z.enum(['reads', 'writes'], { error: 'must be reads or writes' }).default('reads'),
  ...signInEnvironment,
})

/** The settings of a server. */
export interface Config {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  operatorToken: string | undefined
  /** encrypts the secrets of webhooks; absent: an embedded database has its own key file */
  secretKey: string | undefined
  /** the base URL that clients use, without a slash at the end; a proxy removes its path from each request */
  publicUrl: string | undefined
  corsOrigins: string[]
  logLevel: string
  logTime: 'epoch' | 'iso'
  /** absent: pretty on a terminal, JSON elsewhere */
  logFormat: 'json' | 'pretty' | undefined
  /** the proxies that the server trusts to name the client address: their subnets, or their number */
  trustedProxies: { who: Subnet[] | number; header: 'x-forwarded-for' | 'forwarded' } | undefined
  rateLimit: { requests: number; windowMs: number } | undefined
  organizationRateLimit: { requests: number; windowMs: number } | undefined
  idempotencyTtlMs: number
  eventRetentionMs: number
  auditRetentionMs: number
  workers: number
  /** how long the server keeps serving after a stop signal, while /readyz reports that it is not ready */
  drainDelayMs: number
  /** private addresses that webhooks may call */
  webhookAllowedSubnets: Subnet[]
  compression: boolean
  /** whether the server offers MCP at /mcp */
  mcp: boolean
  /** scheduled backups; undefined: none */
  backups: { everyMs: number; keep: number; directory: string } | undefined
  /** the access that the database must allow before /readyz reports ready */
  readyWhen: 'reads' | 'writes'
  signIn: SignInSettings
}

// refuse these when empty: without them, the server would use other data or allow open access
const neverEmpty = ['DATABASE_URL', 'DATA_DIR', 'OPERATOR_TOKEN']

/**
 * Reads the settings from the environment. An empty variable counts as absent, except those of `neverEmpty`.
 * @throws ConfigProblem that names every invalid variable
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== '' || neverEmpty.includes(name)),
  )
  const { success, data, error } = Environment.safeParse(given)
  if (!success)
    throw new ConfigProblem(error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`).join('\n'))
  const signIn = signInSettings(data)
  if ('problems' in signIn) throw new ConfigProblem(signIn.problems.join('\n'))
  return {
    host: data.HOST,
    port: data.PORT,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    operatorToken: data.OPERATOR_TOKEN,
    secretKey: data.SECRET_KEY,
    publicUrl: data.PUBLIC_URL,
    corsOrigins: data.CORS_ORIGINS,
    logLevel: data.LOG_LEVEL,
    logTime: data.LOG_TIME,
    logFormat: data.LOG_FORMAT,
    trustedProxies:
      data.TRUST_PROXY === undefined ? undefined : { who: data.TRUST_PROXY, header: data.TRUST_PROXY_HEADER },
    rateLimit: data.RATE_LIMIT,
    organizationRateLimit: data.RATE_LIMIT_ORGANIZATION,
    idempotencyTtlMs: data.IDEMPOTENCY_TTL,
    eventRetentionMs: data.EVENT_RETENTION,
    auditRetentionMs: data.AUDIT_RETENTION,
    workers: data.WORKERS,
    webhookAllowedSubnets: data.WEBHOOK_ALLOWED_SUBNETS,
    compression: data.COMPRESSION === 'on',
    mcp: data.MCP === 'on',
    backups: data.BACKUP_EVERY
      ? {
          everyMs: data.BACKUP_EVERY,
          keep: data.BACKUP_KEEP,
          directory: data.BACKUP_DIR ?? join(data.DATA_DIR, 'backups'),
        }
      : undefined,
    readyWhen: data.READY_WHEN,
    drainDelayMs: data.DRAIN_DELAY,
    signIn,
  }
}

function millisecondsOf(text: string): number {
  return Number(text.slice(0, -1)) * units[text.slice(-1) as keyof typeof units]
}

function isReadable(url: string): boolean {
  try {
    // the driver also accepts a user without a host, for a Unix socket; URL does not
    const { username, password } = new URL(url.replace('@/', '@localhost/'))
    return [username, password].every((part) => decodeURIComponent(part) !== undefined)
  } catch {
    return false
  }
}
