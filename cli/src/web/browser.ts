import { spawn } from 'node:child_process'
import { inLines } from '../output/escape.ts'
import type { Terminal } from '../terminal.ts'

/** How long a program that opens pages may take to say that it cannot. */
const patienceMs = 2_000

/** Opens an address in a browser; where none can be opened, prints it. */
export async function openInBrowser(url: string, { env, out, err }: Terminal): Promise<void> {
  const program = openerFor(env)
  if (program !== undefined && (await isOpenedBy(program, url, env))) err.write(`Opened ${inLines(url)}\n`)
  else out.write(`${inLines(url)}\n`)
}

/** The program that opens pages. @returns undefined where nobody would see the page, as over SSH */
function openerFor(env: Terminal['env']): string | undefined {
  if (env.SSH_CONNECTION) return undefined
  if (process.platform === 'darwin') return 'open'
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined
}

function isOpenedBy(program: string, url: string, env: Terminal['env']): Promise<boolean> {
  return new Promise((resolve) => {
    const opener = spawn(program, [url], { env, stdio: 'ignore', detached: true })
    opener.unref()
    opener.once('error', () => resolve(false))
    opener.once('exit', (code) => resolve(code === 0))
    // some stay until the browser is closed
    const waiting = setTimeout(() => resolve(true), patienceMs)
    opener.once('close', () => clearTimeout(waiting))
  })
}
