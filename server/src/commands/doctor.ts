import { command, Failure, type Settings } from './command.ts'
import { checkDatabase } from './doctor/database.ts'
import type { Finding } from './doctor/finding.ts'
import { checkNode } from './doctor/machine.ts'
import { checkPlace, checkPort } from './doctor/place.ts'
import { checkSettings } from './doctor/settings.ts'

/** Looks at all that a server needs, beside one that runs or without; changes nothing. */
export const doctorCommand = command('doctor', {
  line: '[--json]',
  about: [
    'look at the settings, the machine and the database, changing nothing; one',
    'line each, and exit code 1 when something is wrong',
  ],
  options: { json: { type: 'boolean' } },
  // the settings are read here: what is wrong with them is a finding like any other
  async run({ settings, values: { json = false }, output: { print } }) {
    const findings = await allFindings(settings)
    const wrong = findings.filter(({ state }) => state === 'wrong').length
    if (json) print(JSON.stringify({ healthy: wrong === 0, checks: findings }, undefined, 2))
    else for (const { check, state, says } of findings) print(`${state.padEnd(8)}${check.padEnd(16)}${says}`)
    if (wrong > 0) throw new Failure(`${wrong} of ${findings.length} checks: wrong.`)
  },
})

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
    ...(await checkDatabase(config)),
  ]
}
