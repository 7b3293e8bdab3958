import type { Terminal } from '../terminal.ts'
import { proxiesIn } from './fetch-by.ts'

/** Possible reasons for a failed connection, and what to do. */
export function connectionHints(error: unknown, env: Terminal['env']): string[] {
  const codes = codesOf(error)
  const isUntrusted = codes.some(isUntrustedCode)
  return [
    ...(isUntrusted
      ? [
          'Node does not trust the certificate. If your company has its own certificate authority, set NODE_EXTRA_CA_CERTS to the file of its certificate.',
        ]
      : []),
    ...(codes.includes('ERR_SSL_WRONG_VERSION_NUMBER') || codes.includes('ERR_SSL_PACKET_LENGTH_TOO_LONG')
      ? ['The server at this address does not use TLS. Should the URL start with http://?']
      : []),
    ...(proxiesIn(env) === undefined ? [] : ['A proxy is set. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.']),
  ]
}

// @see https://nodejs.org/api/tls.html#x509-certificate-error-codes
const untrustedCodes = ['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_UNTRUSTED', 'INVALID_CA']
const isUntrustedCode = (code: string) => untrustedCodes.includes(code) || code.startsWith('UNABLE_TO_')

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { code, cause } = error as NodeJS.ErrnoException
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(cause)]
}
