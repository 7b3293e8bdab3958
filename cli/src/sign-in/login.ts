import { textOfFlag } from '../arguments/given.ts'
import { UnauthorizedError } from '../client.ts'
import type { OwnCommand } from '../commands/own-command.ts'
import { inOneLine } from '../output/escape.ts'
import { NotSignedIn, WrongUse } from '../problems.ts'
import { canAsk, type Terminal } from '../terminal.ts'
import { clientOf, rootOf, usualUrl } from './connection.ts'
import { keyByBrowser } from './in-browser.ts'
import { type Me, meOf } from './me.ts'
import { profilesFile, readProfiles, writeProfiles } from './profiles.ts'

/** Stores the URL of a server and an API key, after the server accepted the key. The browser can create the key. */
export const login: OwnCommand = {
  summary: 'Sign in with your browser or an API key',
  description:
    'Press Enter to sign in with your browser: approve the code that tw shows, and tw gets a key of its own. Or paste an API key, which is not shown. Without a terminal, reads the key from standard input. If the server accepts the key, stores it in a file that only you can read. TASKWRIGHT_URL and TASKWRIGHT_API_KEY override the stored values, and --profile overrides both.',
  flags: { url: { value: 'url', help: `URL of the server; default ${usualUrl}` } },
  examples: ['tw login', 'tw login --profile staging --url https://work.example.com < key.txt'],
  async run(given, terminal) {
    const { env, input, out, err } = terminal
    const profiles = await readProfiles(env)
    const wanted = textOfFlag(given, 'profile')
    const name = wanted ?? profiles.current
    const before = Object.hasOwn(profiles.byName, name) ? profiles.byName[name]?.url : undefined
    const usual = (wanted !== undefined && before) || env.TASKWRIGHT_URL || before || usualUrl
    const url = checkedUrl(textOfFlag(given, 'url') ?? (await urlFrom(usual, terminal)))
    const timeout = textOfFlag(given, 'timeout')
    const typed = canAsk(terminal) ? await input.ask(question, true) : await input.text()
    const pasted = typed?.trim() ?? ''
    const key =
      pasted === '' && typed !== undefined && canAsk(terminal) ? await keyByBrowser(url, terminal, timeout) : pasted
    if (!/^[!-~]+$/.test(key)) throw new WrongUse('This is not an API key: a key starts with tw_ and has no spaces.')
    const me = await meOf(clientOf({ url, key }, terminal, timeout), terminal).catch(explain)
    const isFirst = Object.keys(profiles.byName).length === 0
    await writeProfiles(env, {
      current: isFirst ? name : profiles.current,
      byName: { ...profiles.byName, [name]: { url, key } },
    })
    out.write(`Signed in to ${url} as ${sayingOf(me)}.\nThe key is stored in ${profilesFile(env)}.\n`)
    if (!isFirst && name !== profiles.current) out.write(`To make this profile the default, run tw profiles ${name}.\n`)
    if (env.TASKWRIGHT_API_KEY) err.write('TASKWRIGHT_API_KEY is set and overrides this key.\n')
  },
}

const question = 'Press Enter to sign in with your browser, or paste an API key (hidden): '

async function urlFrom(usual: string, terminal: Terminal): Promise<string> {
  if (!canAsk(terminal)) return usual
  return (await terminal.input.ask(`URL of the server [${usual}]: `))?.trim() || usual
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new WrongUse(`'${text}' is not a URL such as https://work.example.com.`)
  if (url.username + url.password + url.search + url.hash !== '')
    throw new WrongUse('The URL must not have a user, query or fragment.')
  return rootOf(url.origin + url.pathname)
}

function explain(error: unknown): never {
  throw error instanceof UnauthorizedError
    ? new NotSignedIn('The server does not accept this key. Nothing was stored.')
    : error
}

/** The member, in words. */
const sayingOf = ({ member, organization }: Me) =>
  inOneLine(`${member.name} <${member.email}>, ${member.role} of ${organization.name}`)
