import { type Config, ConfigProblem, Environment, readConfig } from '../../config.ts'
import { type CheckResult, ok, warning, wrong } from './finding.ts'

/** Checks the settings. @returns also the configuration, if the settings are valid */
export function checkSettings(environment: Record<string, string | undefined>): {
  config?: Config
  findings: CheckResult[]
} {
  const known = Object.keys(Environment.shape)
  const given = known.filter((name) => environment[name] !== undefined)
  const unknown = Object.keys(environment).flatMap((name) => {
    const meant = known.includes(name) ? undefined : known.find((setting) => isTypoOf(name, setting))
    return meant === undefined ? [] : [warning('settings', `${name} is not a setting. Did you mean ${meant}?`)]
  })
  try {
    const config = readConfig(environment)
    const said = given.length === 0 ? 'none is set: all use their defaults' : `${given.join(', ')} are valid`
    return { config, findings: [ok('settings', said), ...unknown, ...openness(config)] }
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error
    return { findings: [...error.message.split('\n').map((line) => wrong('settings', line)), ...unknown] }
  }
}

function openness({ host, operatorToken }: Config): CheckResult[] {
  if (operatorToken !== undefined || /^(127\.|localhost$|::1$)/.test(host)) return []
  return [
    warning('operator token', `none is set, so everybody who can reach ${host} can read /metrics: set OPERATOR_TOKEN`),
  ]
}

/** Whether a name is a setting with one or two typos, or with the name of the product before it. */
export function isTypoOf(name: string, setting: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')
  const [written, meant] = [plain(name), plain(setting)]
  if (written === meant || written === `taskwright${meant}`) return true
  // a short name is similar to many others
  const mostSlips = meant.length < 7 ? 0 : meant.length < 10 ? 1 : 2
  return Math.abs(written.length - meant.length) <= mostSlips && slipsBetween(written, meant) <= mostSlips
}

// the Levenshtein distance: the number of added, missing or changed letters
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (const [n, letter] of [...one].entries()) {
    const next = [n + 1]
    for (const [m, wanted] of [...other].entries())
      next.push(Math.min((next[m] ?? 0) + 1, (row[m + 1] ?? 0) + 1, (row[m] ?? 0) + (letter === wanted ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
