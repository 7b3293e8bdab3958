/** Runs at most so many pieces of work at a time; the others wait in their order. */
export function createTurns(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work: () => Promise<void>): Promise<void> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      await work()
    } finally {
      const next = waiting.shift()
      // it takes this one's place
      if (next) next()
      else running--
    }
  }
}
