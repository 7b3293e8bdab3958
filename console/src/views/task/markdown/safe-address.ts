const schemes = ['http:', 'https:', 'mailto:']

/**
 * An address that may stand in a link, as the browser would read it; undefined of all that leads nowhere in itself, or may run
 * something.
 */
export function safeAddress(written: string): string | undefined {
  try {
    const { protocol, href } = new URL(written)
    return schemes.includes(protocol) ? href : undefined
  } catch {
    return undefined
  }
}
