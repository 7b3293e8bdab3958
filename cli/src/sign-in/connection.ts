import { durationMs } from '../arguments/general.ts'
import { Taskwright } from '../client.ts'
import { NotSignedIn, WrongUse } from '../problems.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { readProfiles } from './profiles.ts'

/** Where requests go, and as whom. */
interface Connection {
  url: string
  key: string
  /** the name of the profile; undefined: the environment says who */
  profile: string | undefined
}

export const usualUrl = 'http://127.0.0.1:3000'

/**
 * Who is signed in: TASKWRIGHT_API_KEY and TASKWRIGHT_URL go before what `tw login` keeps. A key that is kept is only ever sent
 * to where it was kept for.
 * @throws NotSignedIn
 */
export async function connectionOf({ env }: Terminal, wanted: string | undefined): Promise<Connection> {
  const { TASKWRIGHT_API_KEY: key, TASKWRIGHT_URL: url } = env
  // then nothing kept is needed, nor need it be there to read
  if (key && url) return { url, key, profile: undefined }
  const { current, byName } = await readProfiles(env)
  const name = wanted ?? current
  const kept = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (key) return { url: url || kept?.url || usualUrl, key, profile: undefined }
  if (kept === undefined) {
    const known = Object.keys(byName)
    if (wanted !== undefined && known.length > 0)
      throw new WrongUse(
        `There is no profile '${wanted}'. There are ${known.join(', ')}; tw login --profile ${wanted} makes it.`,
      )
    throw new NotSignedIn('You are not signed in: run tw login, or set TASKWRIGHT_API_KEY.')
  }
  if (url && placed(url) !== placed(kept.url)) {
    throw new NotSignedIn(
      `TASKWRIGHT_URL is ${url}, and the key that is kept is for ${kept.url}: set TASKWRIGHT_API_KEY too, or unset TASKWRIGHT_URL.`,
    )
  }
  return { ...kept, profile: name }
}

const placed = (url: string) =>
  url
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
    .toLowerCase()

/** A client of the API. @param timeout as it was typed */
export function clientOf({ url, key }: Pick<Connection, 'url' | 'key'>, timeout?: string): Taskwright {
  refuseUnusable({ url, key })
  const timeoutMs = timeout === undefined ? undefined : durationMs(timeout)
  if (timeout !== undefined && !timeoutMs) throw new WrongUse('--timeout takes a length of time such as 30s or 2m.')
  const headers = { 'user-agent': `tw/${version}` }
  // somebody waits
  const retries = 2
  return new Taskwright({ baseUrl: url, apiKey: key, headers, retries, ...(timeoutMs ? { timeoutMs } : {}) })
}

/**
 * Refuses what nothing can be sent with: an error of who tries would show the key.
 * @throws WrongUse of a URL, NotSignedIn of a key
 */
export function refuseUnusable({ url, key }: Pick<Connection, 'url' | 'key'>): void {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new WrongUse(`'${url}' is no URL of a server such as https://work.example.com.`)
  if (!/^[!-~]+$/.test(key.trim()))
    throw new NotSignedIn('TASKWRIGHT_API_KEY is no API key: it begins with tw_ and is one word.')
}
