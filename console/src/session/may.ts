import { me } from './session.ts'

/** Whether the key that one is signed in with may write at all. */
export const mayWrite = (): boolean => me().apiKey.scopes.includes('write')

/** Whether one sees what owners and admins see. */
export const isAdmin = (): boolean => me().member.role !== 'member'

/** Whether one may do what owners and admins do, as far as can be told before it is tried. */
export const mayAdminister = (): boolean => isAdmin() && mayWrite()
