import { readSubnet } from '../../src/outgoing/addresses.ts'

/** Receivers on this machine may be sent to. */
export const allowed = ['127.0.0.0/8', '::1'].flatMap((text) => readSubnet(text) ?? [])
