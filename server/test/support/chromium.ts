import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const installMs = 300_000

/** A Chromium of this machine; on a Debian that lacks one, root installs it. @returns a sentence when there is none */
export async function openChromium(): Promise<Browser | string> {
  const executablePath = find() ?? (canInstall() ? install() : undefined)
  if (executablePath === undefined) {
    return 'There is no Chromium on this machine, and only root can install one with apt-get; or say where it is by CHROMIUM.'
  }
  const quiet = ['quic', 'background-networking', 'component-update', 'sync'].map((it) => `--disable-${it}`)
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet] })
}

const find = () => places.find((place) => place !== '' && existsSync(place))
const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function install(): string | undefined {
  const apt = (...words: string[]) =>
    spawnSync('apt-get', words, {
      stdio: 'ignore',
      timeout: installMs,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  // a fresh image has no lists yet
  if (apt('install', '-y', 'chromium').status !== 0) {
    apt('update')
    apt('install', '-y', 'chromium')
  }
  return find()
}
