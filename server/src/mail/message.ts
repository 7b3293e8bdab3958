import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailContent } from './kinds.ts'
import type { Mailbox } from './smtp-settings.ts'
import { htmlOf, textOf } from './template.ts'

interface MailHead {
  id: string
  from: Mailbox
  recipient: string
  at: Date
}

/**
 * Builds a mail with text and HTML (RFC 5322, MIME). Its Message-ID derives from the id, so a receiver can recognize a second
 * copy.
 */
export function buildMessage(
  { id, from, recipient, at }: MailHead,
  content: MailContent,
  publicUrl: string,
): Promise<Buffer> {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return new MailComposer({
    from,
    // as an object, so that no character of the address counts as syntax
    to: { name: '', address: recipient },
    subject: content.subject.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(),
    messageId: `<${id}@${domain}>`,
    date: at,
    // RFC 3834: no out-of-office reply to this mail
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: textOf(content, publicUrl),
    html: htmlOf(content, publicUrl),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}
