import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask } from '../session/ask.ts'

/** A provider of accounts, such as the company's own. */
export interface Provider {
  issuer: string
  name: string
}

/** The ways to sign in that are on. */
export interface Ways {
  ways: readonly ('passkey' | 'password' | 'oidc' | 'key')[]
  providers: readonly Provider[]
  /** whether the server can send mail */
  mail: boolean
}

const ways = signal<Ways | undefined>(undefined)
const error = signal<unknown>(undefined)

async function read(): Promise<void> {
  try {
    ways.value = await ask<Ways>('GET', '/auth/ways')
    error.value = undefined
  } catch (reason) {
    error.value = reason
  }
}

/** The ways to sign in, read once, and why they could not be read. */
export function useWays() {
  useEffect(() => {
    if (ways.value === undefined) void read()
  }, [])
  return { ways: ways.value, error: error.value, read: () => void read() }
}
