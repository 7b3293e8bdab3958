import type { Event } from '@taskwright/client'
import { me } from '../../session/session.ts'

/** Reads again when the person changes how they sign in, also on another device. */
export const signInChanged = ({ type, resource }: Event) =>
  type === 'member.sign_in_changed' && resource.id === me().member.id ? 'again' : undefined
