import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The cluster for this run. */
export async function openCitus(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_CITUS ?? ''
  if (given !== '1') return { url: given, stop: async () => {} }
  const script = fileURLToPath(new URL('../../../../scripts/citus.mjs', import.meta.url))
  // of more shards each database would be larger to copy
  const child = spawn(process.execPath, [script, '--shards', '4'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('postgres:')) continue
    const stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    return { url: line, stop }
  }
  throw new Error('There is no Citus to test on')
}
