import type { MailContent, MailKind } from './kinds.ts'

/** The content of the mail that `taskwright doctor --mail` sends. */
export const testContent = (publicUrl: string): MailContent => ({
  subject: 'Test mail of Taskwright',
  paragraphs: ['This mail shows that the Taskwright server can send mail.', 'There is nothing to do.'],
  link: { text: 'Open Taskwright', url: `${publicUrl}/console/` },
})

/** A mail that shows that sending works. */
export const testMail: MailKind = async (_tx, _mail, publicUrl) => testContent(publicUrl)
