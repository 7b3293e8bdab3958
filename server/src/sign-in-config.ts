import { z } from 'zod'

/** The ways to sign in. */
const waysIn = ['passkey', 'password', 'oidc', 'key'] as const
export type WayIn = (typeof waysIn)[number]

/** An OpenID Connect provider. */
export interface OidcProvider {
  /** the issuer, as its discovery document names it */
  issuer: string
  clientId: string
  /** absent: a public client */
  clientSecret: string | undefined
  /** on the button: Sign in with <name> */
  name: string
  scopes: string
  /** who becomes a member: people who were invited, or everybody with a verified address of these domains */
  signUp: 'invited' | { domain: string; organization: string; role: 'admin' | 'member' }[]
}

/** The settings of signing in. */
export interface SignInSettings {
  ways: readonly WayIn[]
  /** whether to start although people depend on a way that is off */
  force: boolean
  providers: readonly OidcProvider[]
  /** undefined: the server sends no mail, and shows links to copy */
  mail: { url: string; from: string } | undefined
}

const ways = z
  .string()
  .transform((list) => list.split(',').map((way) => way.trim()))
  .pipe(z.array(z.enum(waysIn, { error: `must be some of ${waysIn.join(', ')}, separated by commas` })).min(1))

const issuer = z
  .url({ protocol: /^https?$/, error: 'must be the URL of the issuer, such as https://id.example.com/realms/team' })
  .refine((url) => url.startsWith('https:') || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(`${url}/`), {
    error: 'must begin with https:// (http:// only for this machine)',
  })

const signUp = z.union(
  [
    z.literal('invited'),
    z
      .array(
        z.strictObject({
          domain: z.string().regex(/^[a-z0-9.-]{1,253}$/),
          organization: z.uuid(),
          role: z.enum(['admin', 'member']).default('member'),
        }),
      )
      .min(1)
      .max(100),
  ],
  { error: 'must be "invited", or a list of {domain, organization, role}' },
)

const Provider = z.strictObject({
  issuer,
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  name: z.string().min(1).max(60).optional(),
  scopes: z
    .string()
    .regex(/\bopenid\b/, 'must have the scope openid')
    .default('openid email profile'),
  signUp: signUp.default('invited'),
})

const providers = z
  .string()
  .transform((text, refused) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      refused.addIssue({ code: 'custom', message: 'must be a JSON array of {issuer, clientId, clientSecret, name}' })
      return z.NEVER
    }
  })
  .pipe(z.array(Provider).max(20))

// no message shows the URL: it holds the password
const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\/[^/]+/, {
    error: 'must be a URL such as smtps://user:password@mail.example.com',
    abort: true,
  })
  .refine(isReadableUrl, {
    error: 'must have each @ : / ? # % of its user and password written as %40 %3A %2F %3F %23 %25',
    abort: true,
  })
  .refine(hasNoOtherParts, {
    error: 'must end after the host and the port; smtp:// can have ?tls=required or ?tls=off behind them',
  })

/** The environment variables about signing in. */
export const signInEnvironment = {
  SIGN_IN: ways.optional(),
  SIGN_IN_FORCE: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60).optional(),
  OIDC_SCOPES: z
    .string()
    .regex(/\bopenid\b/, 'must have the scope openid')
    .optional(),
  OIDC_SIGN_UP: z
    .string()
    .transform((text) => (text === 'invited' ? text : domainsIn(text)))
    .pipe(signUp)
    .optional(),
  OIDC_PROVIDERS: providers.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z
    .string()
    .max(320)
    .regex(
      /^([^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'must be one address, such as Taskwright <tasks@example.com>',
    )
    .optional(),
}

function hasNoOtherParts(url: string): boolean {
  const { protocol, pathname, search, hash } = new URL(url)
  const searches = protocol === 'smtp:' ? ['', '?tls=required', '?tls=off'] : ['']
  return ['', '/'].includes(pathname) && searches.includes(search) && hash === ''
}

function isReadableUrl(url: string): boolean {
  try {
    const { username, password, hostname } = new URL(url)
    return hostname !== '' && [username, password].every((part) => decodeURIComponent(part) !== undefined)
  } catch {
    return false
  }
}

/** Reads `example.com=<organization>:<role>, example.org=<organization>`. The role is member by default. */
function domainsIn(text: string): unknown {
  return text.split(',').map((one) => {
    const [domain = '', target = ''] = one.trim().split('=')
    const [organization = '', role = 'member'] = target.split(':')
    return { domain: domain.toLowerCase(), organization, role }
  })
}

const Environment = z.object(signInEnvironment)

/** The settings that follow from the variables. @returns problems as sentences, or the settings */
export function signInSettings(data: z.output<typeof Environment>): SignInSettings | { problems: string[] } {
  const problems: string[] = []
  const single = data.OIDC_ISSUER && {
    issuer: data.OIDC_ISSUER,
    clientId: data.OIDC_CLIENT_ID,
    clientSecret: data.OIDC_CLIENT_SECRET,
    name: data.OIDC_NAME,
    ...(data.OIDC_SCOPES && { scopes: data.OIDC_SCOPES }),
    ...(data.OIDC_SIGN_UP && { signUp: data.OIDC_SIGN_UP }),
  }
  if (single && data.OIDC_CLIENT_ID === undefined) problems.push('OIDC_CLIENT_ID must be set beside OIDC_ISSUER.')
  if (!single && data.OIDC_CLIENT_ID !== undefined) problems.push('OIDC_ISSUER must be set beside OIDC_CLIENT_ID.')
  if (single && data.OIDC_PROVIDERS) problems.push('Set either OIDC_PROVIDERS or OIDC_ISSUER, not both.')
  if (data.SMTP_URL !== undefined && data.MAIL_FROM === undefined)
    problems.push('MAIL_FROM must be set beside SMTP_URL, such as Taskwright <tasks@example.com>.')
  if (problems.length > 0) return { problems }
  const some = data.OIDC_PROVIDERS ?? (single ? [Provider.parse(single)] : [])
  const list = some.map((one) => ({
    ...one,
    clientSecret: one.clientSecret,
    name: one.name ?? new URL(one.issuer).hostname,
  }))
  if (new Set(list.map((one) => one.issuer)).size < list.length) problems.push('OIDC_PROVIDERS names an issuer twice.')
  const configured = waysIn.filter((way) => way !== 'oidc' || list.length > 0)
  const on = data.SIGN_IN ?? configured
  if (on.includes('oidc') && list.length === 0) problems.push('SIGN_IN has oidc, but OIDC_ISSUER is not set.')
  if (problems.length > 0) return { problems }
  const mail = data.SMTP_URL && data.MAIL_FROM ? { url: data.SMTP_URL, from: data.MAIL_FROM } : undefined
  return { ways: on, force: data.SIGN_IN_FORCE === 'true', providers: list, mail }
}
