const summaries = new Map<string, string>()

/** What a statement does, without a value: `select tasks`. */
export function summaryOf({ name, text }: { name?: string | undefined; text: string }): string {
  const known = name === undefined ? undefined : summaries.get(name)
  if (known !== undefined) return known
  const [, verb = 'statement'] = /\b(select|insert|update|delete|commit)\b/.exec(text) ?? []
  const [, table] = /\b(?:from|into|update) ([a-z_]+)/.exec(text) ?? []
  const summary = table === undefined ? verb : `${verb} ${table}`
  // there are some hundred names at most
  if (name !== undefined) summaries.set(name, summary)
  return summary
}
