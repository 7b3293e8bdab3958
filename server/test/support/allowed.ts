import { readSubnet } from '../../src/contract/addresses.ts'

/** Receivers on this machine may be sent to. */
export const allowed = ['127.0.0.0/8', '::1'].flatMap((text) => readSubnet(text) ?? [])
