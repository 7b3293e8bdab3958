import { Email } from '../contract/email.ts'
import { type CommandContext, Failure, type Settings, valid } from './command.ts'
import { checkBackups } from './doctor/backups.ts'
import { checkDatabase } from './doctor/database.ts'
import type { CheckResult } from './doctor/finding.ts'
import { checkNode } from './doctor/machine.ts'
import { checkMail, sendTestMail } from './doctor/mail.ts'
import { checkProviders } from './doctor/oidc.ts'
import { checkPlace, checkPort } from './doctor/place.ts'
import { checkSettings } from './doctor/settings.ts'

/**
 * Checks everything that a server needs, and changes nothing. It works with or without a running server. With `mail` it only
 * sends a test mail. With `oidc` it only checks the providers of OpenID Connect, over the network.
 */
// this command reads the settings itself: an invalid setting is a finding like any other
export async function runDoctor({
  settings,
  values: { json = false, mail, oidc = false },
  output: { print },
}: CommandContext<{ json: boolean; mail: string; oidc: boolean }>): Promise<void> {
  const recipient = mail === undefined ? undefined : valid('mail', Email, mail)
  const findings = await (oidc
    ? providerFindings(settings)
    : recipient === undefined
      ? allFindings(settings)
      : mailFindings(settings, recipient))
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
    ...(await checkMail(config)),
    ...(await checkDatabase(config)),
  ]
}

async function mailFindings(environment: Settings, recipient: string): Promise<CheckResult[]> {
  const { config, findings } = checkSettings(environment)
  if (config === undefined) return findings
  return sendTestMail(config, recipient)
}

async function providerFindings(environment: Settings): Promise<CheckResult[]> {
  const { config, findings } = checkSettings(environment)
  return config === undefined ? findings : checkProviders(config)
}
