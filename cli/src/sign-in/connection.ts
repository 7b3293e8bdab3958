import { durationMs } from '../arguments/general.ts'
import { Taskwright } from '../client.ts'
import { NotSignedIn, WrongUse } from '../problems.ts'
import { fetchBy } from '../proxies/fetch-by.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { readProfiles } from './profiles.ts'

/** The server and the key of the requests. */
interface Connection {
  url: string
  key: string
  /** the profile's name; undefined if the key comes from the environment */
  profile: string | undefined
}

export const usualUrl = 'http://127.0.0.1:3000'

/**
 * Finds the server and the key. `--profile` wins over TASKWRIGHT_API_KEY and TASKWRIGHT_URL, which win over the default
 * profile. A key of a profile goes only to that profile's URL. A key of the environment never goes to the URL of a profile.
 * @throws WrongUse for an unknown profile; NotSignedIn
 */
export async function connectionOf({ env }: Terminal, wanted: string | undefined): Promise<Connection> {
  if (wanted !== undefined) return { ...(await profileCalled(wanted, env)), profile: wanted }
  const { TASKWRIGHT_API_KEY: key, TASKWRIGHT_URL: url } = env
  // do not read the profiles: they may be unreadable
  if (key && url) return { url, key, profile: undefined }
  const { current, byName } = await readProfiles(env)
  const kept = Object.hasOwn(byName, current) ? byName[current] : undefined
  if (key) {
    if (kept && placed(kept.url) !== usualUrl)
      throw new NotSignedIn(
        `TASKWRIGHT_API_KEY is set, but TASKWRIGHT_URL is not. Set both, or choose a profile with --profile ${current}.`,
      )
    return { url: usualUrl, key, profile: undefined }
  }
  if (kept === undefined) throw new NotSignedIn('You are not signed in. Run tw login, or set TASKWRIGHT_API_KEY.')
  if (url && placed(url) !== placed(kept.url)) {
    throw new NotSignedIn(
      `TASKWRIGHT_URL is ${url}, but the stored key is for ${kept.url}. Set TASKWRIGHT_API_KEY too, or unset TASKWRIGHT_URL.`,
    )
  }
  return { ...kept, profile: current }
}

async function profileCalled(name: string, env: Terminal['env']) {
  const { byName } = await readProfiles(env)
  const kept = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (kept) return kept
  const known = Object.keys(byName).join(', ')
  throw new WrongUse(
    `There is no profile '${name}'.${known && ` Known profiles: ${known}.`} To create it, run tw login --profile ${name}.`,
  )
}

const placed = (url: string) => rootOf(url).toLowerCase()

/** The URL of a server without trailing slashes and without the path of the API. */
export const rootOf = (url: string): string => withoutSlashes(withoutSlashes(url).replace(/\/api\/v1$/, ''))

const withoutSlashes = (url: string) => url.replace(/(?<!\/)\/+$/, '')

/** A client of the API. @param timeout as typed */
export function clientOf(
  { url, key }: Pick<Connection, 'url' | 'key'>,
  { env }: Pick<Terminal, 'env'>,
  timeout?: string,
): Taskwright {
  refuseUnusable({ url, key })
  const timeoutMs = timeout === undefined ? undefined : durationMs(timeout)
  if (timeout !== undefined && !timeoutMs) throw new WrongUse('--timeout takes a duration such as 30s or 2m.')
  const headers = { 'user-agent': `tw/${version}` }
  // few retries, because the user is waiting
  const retries = 2
  const fetch = fetchBy(env)
  return new Taskwright({ baseUrl: url, apiKey: key, headers, retries, fetch, ...(timeoutMs ? { timeoutMs } : {}) })
}

/**
 * Refuses an unusable URL or key before a request, whose error would show the key.
 * @throws WrongUse for the URL, NotSignedIn for the key
 */
export function refuseUnusable({ url, key }: Pick<Connection, 'url' | 'key'>): void {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new WrongUse(`'${url}' is not a server URL such as https://work.example.com.`)
  if (!/^[!-~]+$/.test(key.trim()))
    throw new NotSignedIn('TASKWRIGHT_API_KEY is not an API key: a key starts with tw_ and has no spaces.')
}
