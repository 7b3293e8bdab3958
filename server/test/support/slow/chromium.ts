import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const installMs = 300_000

/**
 * A Chromium of this machine, that without windows where there is one, which computes half as much. On a Debian that lacks both, root installs it.
 * @returns a sentence when there is none
 */
export async function openChromium(): Promise<Browser | string> {
  const executablePath = find() ?? (canInstall() ? install() : undefined)
  if (executablePath === undefined) {
    return 'There is no Chromium on this machine, and only root can install one with apt-get; or say where it is by CHROMIUM.'
  }
  const quiet = ['quic', 'background-networking', 'component-update', 'sync'].map((it) => `--disable-${it}`)
  // it draws without a GPU, for which it needs no process
  const drawing = ['--disable-gpu', '--in-process-gpu']
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run', ...drawing, ...quiet] })
}

const find = () => places.find((place) => place !== '' && existsSync(place))
const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function install(): string | undefined {
  const apt = (...words: string[]) =>
    spawnSync('apt-get', words, {
      stdio: 'ignore',
      timeout: installMs,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  const installed = () => apt('install', '-y', 'chromium-headless-shell') || apt('install', '-y', 'chromium')
  // a fresh image has no lists yet
  if (!installed()) {
    apt('update')
    installed()
  }
  return find()
}
