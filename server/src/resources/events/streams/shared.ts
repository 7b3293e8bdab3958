/**
 * Asks once for all who want the same at the same time. Who comes while it is asked gets the next answer, so nobody gets one
 * that is older than their question.
 */
export function shared<Answer>(ask: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const asking = new Map<string, Promise<Answer>>()
  const next = new Map<string, Promise<Answer>>()
  return (key) => {
    const joined = next.get(key)
    if (joined) return joined
    const current = asking.get(key)
    if (current === undefined) return begin(key)
    const following = current.then(nothing, nothing).then(() => begin(key))
    next.set(key, following)
    return following
  }

  function begin(key: string): Promise<Answer> {
    next.delete(key)
    const asked = ask(key).finally(() => {
      if (asking.get(key) === asked) asking.delete(key)
    })
    asking.set(key, asked)
    return asked
  }
}

const nothing = () => {}
