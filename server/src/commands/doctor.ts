import { type Asked, Failure, type Settings } from './command.ts'
import { checkBackups } from './doctor/backups.ts'
import { checkDatabase } from './doctor/database.ts'
import type { Finding } from './doctor/finding.ts'
import { checkNode } from './doctor/machine.ts'
import { checkPlace, checkPort } from './doctor/place.ts'
import { checkSettings } from './doctor/settings.ts'

/** Looks at all that a server needs, beside one that runs or without; changes nothing. */
// the settings are read here: what is wrong with them is a finding like any other
export async function runDoctor({
  settings,
  values: { json = false },
  output: { print },
}: Asked<{ json: boolean }>): Promise<void> {
  const findings = await allFindings(settings)
  const wrong = findings.filter(({ state }) => state === 'wrong').length
  if (json) print(JSON.stringify({ healthy: wrong === 0, checks: findings }, undefined, 2))
  else for (const { check, state, says } of findings) print(`${state.padEnd(8)}${check.padEnd(16)}${says}`)
  if (wrong > 0) throw new Failure(`${wrong} of ${findings.length} checks: wrong.`)
}

async function allFindings(environment: Settings): Promise<Finding[]> {
  const { config, findings } = checkSettings(environment)
  const machine = checkNode(process.versions.node)
  // without settings that make sense nobody knows which place and which database are meant
  if (config === undefined) return [...findings, machine]
  return [
    ...findings,
    machine,
    await checkPort(config),
    ...(await checkPlace(config)),
    ...(await checkBackups(config)),
    ...(await checkDatabase(config)),
  ]
}
