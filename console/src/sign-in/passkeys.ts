import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { PageError } from '../act/failures.ts'
import { ask } from '../session/ask.ts'
import { signInWords } from './sign-in-words.ts'

// the browser refuses passkeys at an address without a name
const isAtNumber = /^(\d+\.){3}\d+$|^\[/.test(location.hostname)

/** Whether this page can use passkeys. */
export const passkeysWork = (): boolean => browserSupportsWebAuthn() && !isAtNumber

/** The reason why this page cannot use passkeys, as a sentence; undefined if it can. */
export function whyNoPasskeys(): string | undefined {
  if (passkeysWork()) return undefined
  const isHere = /^127\.|^\[::1\]$/.test(location.hostname)
  const named = location.origin.replace(location.hostname, 'localhost')
  return isHere && isAtNumber ? signInWords.signIn.needsName(named) : signInWords.signIn.noPasskeys
}

/** Signs in with a passkey. */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await readOptions()
  const response = await told(startAuthentication({ optionsJSON }))
  await ask('POST', '/auth/passkey', { response })
}

/**
 * Offers passkeys in the list of the field for the address, and waits until the user chooses one.
 * @returns signs in with it; undefined if the browser offers none, or the page stopped waiting
 */
export async function passkeyFromList(): Promise<(() => Promise<void>) | undefined> {
  if (!passkeysWork() || !(await browserSupportsWebAuthnAutofill())) return undefined
  try {
    const optionsJSON = await readOptions()
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true })
    return () => ask('POST', '/auth/passkey', { response })
  } catch {
    // the user asked for nothing yet, and has other ways
    return undefined
  }
}

async function readOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  type Asked = { options: PublicKeyCredentialRequestOptionsJSON }
  return (await ask<Asked>('POST', '/auth/passkey/options', {})).options
}

/** Creates a passkey for the signed-in person. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await ask<{ options: PublicKeyCredentialCreationOptionsJSON }>('POST', '/me/passkeys/options', {})
  const response = await told(startRegistration({ optionsJSON: options }))
  await ask('POST', '/me/passkeys', { response, name })
}

/** Stops waiting for a passkey. */
export const stopPasskeys = (): void => WebAuthnAbortService.cancelCeremony()

async function told<T>(using: Promise<T>): Promise<T> {
  try {
    return await using
  } catch (cause) {
    throw new PageError(sentenceOf(cause), { cause })
  }
}

function sentenceOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'NotAllowedError' || name === 'AbortError') return signInWords.signIn.passkeyCanceled
  if (name === 'InvalidStateError') return signInWords.signIn.passkeyThere
  return signInWords.signIn.passkeyFailed(message)
}

/** The browser and the system, as the name of a new passkey. */
export function deviceName(agent = navigator.userAgent): string {
  const first = (names: readonly (readonly [string, RegExp])[]) => names.find(([, pattern]) => pattern.test(agent))?.[0]
  const browser = first([
    ['Edge', /Edg/],
    ['Firefox', /Firefox|FxiOS/],
    ['Chrome', /Chrome|CriOS/],
    ['Safari', /Safari/],
  ])
  const system = first([
    ['Android', /Android/],
    ['iPhone', /iPhone/],
    ['iPad', /iPad/],
    ['Windows', /Windows/],
    ['Mac', /Macintosh/],
    ['Linux', /Linux/],
  ])
  return [browser, system].filter(Boolean).join(', ') || signInWords.account.unknownDevice
}
