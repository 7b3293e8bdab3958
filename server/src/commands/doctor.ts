import { type CommandContext, Failure, type Settings } from './command.ts'
import { checkBackups } from './doctor/backups.ts'
import { checkDatabase } from './doctor/database.ts'
import type { CheckResult } from './doctor/finding.ts'
import { checkNode } from './doctor/machine.ts'
import { checkPlace, checkPort } from './doctor/place.ts'
import { checkSettings } from './doctor/settings.ts'

/** Checks everything that a server needs, and changes nothing. It works with or without a running server. */
// this command reads the settings itself: an invalid setting is a finding like any other
export async function runDoctor({
  settings,
  values: { json = false },
  output: { print },
}: CommandContext<{ json: boolean }>): Promise<void> {
  const findings = await allFindings(settings)
  const wrong = findings.filter(({ state }) => state === 'wrong').length
  if (json) print(JSON.stringify({ healthy: wrong === 0, checks: findings }, undefined, 2))
  else for (const { check, state, says } of findings) print(`${state.padEnd(8)}${check.padEnd(16)}${says}`)
  if (wrong > 0) throw new Failure(`${wrong} of ${findings.length} checks: wrong.`)
}

async function allFindings(environment: Settings): Promise<CheckResult[]> {
  const { config, findings } = checkSettings(environment)
  const machine = checkNode(process.versions.node)
  // without valid settings, the directory and the database are unknown
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
