const schemes = ['http:', 'https:', 'mailto:']

/**
 * An address that is safe in a link, as the browser reads it. Undefined for a relative address, which leads nowhere by itself,
 * and for other schemes, because some run code.
 */
export function safeAddress(written: string): string | undefined {
  try {
    const { protocol, href } = new URL(written)
    return schemes.includes(protocol) ? href : undefined
  } catch {
    return undefined
  }
}
