import { lookup, Resolver } from 'node:dns/promises'

/** Finds all addresses of a name. @throws if there is none */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

/**
 * Asks name servers without the four threads that `lookup` uses: four names without a reply would block all of them.
 * @param alsoLocal whether to try names that only this machine knows, from its hosts file or search domains
 */
export function resolver({ alsoLocal }: { alsoLocal: boolean }): Resolve {
  let lookingUp: Promise<unknown> = Promise.resolve()
  return async (name, signal) => {
    const asked = new Resolver({ timeout: 3_000, tries: 2 })
    const cancel = () => asked.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([asked.resolve4(name), asked.resolve6(name)])
      signal.throwIfAborted()
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (found.length > 0) return found
      if (alsoLocal) return await lookUpLocally(name, signal)
      throw answers.find((answer) => answer.status === 'rejected')?.reason
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** One lookup at a time, so that lookups block at most one thread. */
  function lookUpLocally(name: string, signal: AbortSignal): Promise<string[]> {
    const found = lookingUp.then(async () => {
      signal.throwIfAborted()
      return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)
    })
    lookingUp = found.catch(() => {})
    return found
  }
}
