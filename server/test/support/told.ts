import { run } from '../../src/cli.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

/**
 * What a command comes to in this process: for what it does and says, where it is not about how its process starts and ends.
 * @see `outcome`, which has a process for it
 */
export async function told(words: readonly string[], settings: Record<string, string>) {
  const [out, err]: [string[], string[]] = [[], []]
  const to = (lines: string[]) => (said: string) => void lines.push(...said.split('\n'))
  const before = new Set<unknown>(signals.flatMap((signal) => process.listeners(signal)))
  try {
    const code = await run(words, { settings, output: { print: to(out), say: to(err) } })
    return { code, out, err }
  } finally {
    for (const signal of signals)
      for (const listener of process.listeners(signal)) if (!before.has(listener)) process.off(signal, listener)
  }
}
