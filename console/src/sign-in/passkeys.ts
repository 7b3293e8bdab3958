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

/** Whether the browser can offer passkeys in the list of a field. */
export const passkeysFillIn = async (): Promise<boolean> => passkeysWork() && (await browserSupportsWebAuthnAutofill())

/** Signs in with a passkey. @param fillsIn waits until the user chooses one in the list of a field */
export async function signInWithPasskey({ fillsIn = false } = {}): Promise<void> {
  const { options } = await ask<{ options: PublicKeyCredentialRequestOptionsJSON }>('POST', '/auth/passkey/options', {})
  const response = await told(startAuthentication({ optionsJSON: options, useBrowserAutofill: fillsIn }))
  await ask('POST', '/auth/passkey', { response })
}

/** Creates a passkey for the signed-in person. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await ask<{ options: PublicKeyCredentialCreationOptionsJSON }>('POST', '/me/passkeys/options', {})
  const response = await told(startRegistration({ optionsJSON: options }))
  await ask('POST', '/me/passkeys', { response, name })
}

/** Stops waiting for a passkey. */
export const stopPasskeys = (): void => WebAuthnAbortService.cancelCeremony()

/** Whether the page itself stopped waiting. */
export const isStopped = (error: unknown): boolean => error instanceof PageError && isAbort(error.cause)

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError'

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
