/** What must be done before this process ends, however it ends. */
export interface Leaving {
  /** @returns the same step, to be taken earlier; it is taken once */
  before(step: () => Promise<void>): () => Promise<void>
  /** Takes all steps, the last one first. */
  now(): Promise<void>
  /** whether a signal asked for it; what breaks from then on is no news */
  readonly interrupted: boolean
}

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Takes the steps when the process is asked to stop, too. */
export function leaving(complain: (sentence: string) => void): Leaving {
  const steps: (() => Promise<void>)[] = []
  let interrupted = false
  let left: Promise<void> | undefined
  const now = () => (left ??= takeAll())
  const takeAll = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) {
      await step().catch((error: unknown) => complain(String(error)))
    }
  }
  for (const [signal, code] of Object.entries(signals)) {
    process.once(signal, () => {
      interrupted = true
      complain('Interrupted: stopping what was started …')
      void now().finally(() => process.exit(code))
    })
  }
  return {
    before(step) {
      let taken: Promise<void> | undefined
      const once = () => {
        taken ??= step()
        return taken
      }
      steps.push(once)
      return once
    },
    now,
    get interrupted() {
      return interrupted
    },
  }
}
