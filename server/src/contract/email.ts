import validator from 'validator'
import { z } from 'zod'
import { onlyIfValid, quoteValue } from './fields.ts'

/**
 * An e-mail address, stored in lower case. Letters of any script are valid before and after the @.
 * @see RFC 5321 §4.5.3.1: 64 bytes before the @, 254 in all; RFC 6531
 */
export const Email = z
  .string('Must be an e-mail address')
  .max(254, 'Must have at most 254 characters')
  .toLowerCase()
  .normalize('NFC')
  .superRefine((address, { addIssue }) => {
    const fault = faultOfEmail(address)
    if (fault) addIssue(fault)
  }, onlyIfValid)
  .meta({ format: 'idn-email', pattern: '^[^@]+@[^@]+$', examples: ['ann@example.com'] })

function faultOfEmail(address: string): string | undefined {
  const [local, domain, ...more] = address.split('@')
  if (!local || !domain || more.length > 0 || !address.isWellFormed()) return 'Must be an e-mail address'
  if (!validator.isEmail(`a@${domain}`) || unprintable.test(domain)) {
    return `Must be an e-mail address: ${quoteValue(domain)} after the @ is not a domain name such as example.com`
  }
  if (validator.isEmail(address) && !unprintable.test(local)) return undefined
  return `Must be an e-mail address: ${quoteValue(local)} before the @ must be at most 64 bytes of letters, digits, dots inside and !#$%&'*+/=?^_\`{|}~-`
}

// the library accepts them; a line break would begin a line of its own for an agent
const unprintable = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u
