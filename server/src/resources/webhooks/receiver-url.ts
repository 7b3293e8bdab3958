import { z } from 'zod'

const longest = 2_048

/** Where events are sent to, kept as URL parsers write it. Whether the address may be sent to is another question. */
export const ReceiverUrl = z
  .string('Must be a string')
  .max(longest, `Must have at most ${longest} characters`)
  .refine((text) => !gap.test(text) && isWeb(text), 'Must be a URL such as https://example.com/hook')
  .overwrite((text) => (URL.canParse(text) ? new URL(text).href : text))
  // what is not ASCII takes more room as it is kept
  .max(longest, `Must have at most ${longest} characters, as it is sent`)
  .refine((text) => !text.includes('#'), 'Must not have a fragment: it is never sent')
  .refine(
    (text) => !(URL.canParse(text) && hasUser(new URL(text))),
    'Must not have a user or a password: the signature tells who sends',
  )
  .meta({
    description:
      'Where events are sent to, as POST: a public address, by https; others where the operator allows them by ' +
      '`WEBHOOK_ALLOWED_SUBNETS`.',
    format: 'uri',
    pattern: '^https?://([A-Za-z][A-Za-z0-9.-]*|[0-9.]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?([/?][!-"$-~]*)?$',
    examples: ['https://example.com/taskwright'],
  })

// URL parsers take these out without a word
const gap = /[\s\p{Cc}]/u

const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
const hasUser = ({ username, password }: URL) => username !== '' || password !== ''
