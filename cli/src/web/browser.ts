import { spawn } from 'node:child_process'
import { inLines } from '../output/escape.ts'
import type { Terminal } from '../terminal.ts'

/** How long to wait for an error of the program that opens the browser. */
const patienceMs = 2_000

/** Opens a URL in a browser; without a browser, prints it. */
export async function openInBrowser(url: string, { env, out, err }: Terminal): Promise<void> {
  const program = openerFor(env)
  if (program !== undefined && (await isOpenedBy(program, url, env))) err.write(`Opened ${inLines(url)}\n`)
  else out.write(`${inLines(url)}\n`)
}

/** The program that opens URLs. @returns undefined if nobody would see the page, as over SSH */
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
    // some programs run until the browser closes
    const waiting = setTimeout(() => resolve(true), patienceMs)
    opener.once('close', () => clearTimeout(waiting))
  })
}
