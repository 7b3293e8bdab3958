import { z } from 'zod'

const timezoneForm = /^(UTC|GMT|[A-Za-z_]+\/[A-Za-z0-9_+/-]+)$/

/**
 * An IANA time zone that this server knows, with area and place. It refuses old short names (CET, IST): for Node they are time
 * zones, for PostgreSQL they are fixed offsets without summer time.
 */
export const Timezone = z
  .string()
  .max(64)
  .refine(isTimezone, 'Must be an IANA time zone such as Europe/Berlin')
  .meta({
    description: 'IANA time zone, such as `Europe/Berlin`.',
    format: 'timezone',
    pattern: timezoneForm.source,
    examples: ['Europe/Berlin'],
  })

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return timezoneForm.test(zone)
  } catch {
    return false
  }
}
