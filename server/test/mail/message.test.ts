import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transaction } from '../../src/db/pool/database.ts'
import { type MailContent, nameForMail } from '../../src/mail/kinds.ts'
import { buildMessage } from '../../src/mail/message.ts'
import { signInChanged } from '../../src/mail/sign-in-changed.ts'
import { mailboxOf } from '../../src/mail/smtp-settings.ts'
import { htmlOf, textOf } from '../../src/mail/template.ts'

const publicUrl = 'https://tasks.example.com'
const at = new Date('2026-11-28T12:00:00Z')
const content: MailContent = {
  subject: 'Ünïcode 日本 🎉',
  paragraphs: ['Hello Ann,', 'A < B & "C" of <script>alert(1)</script>.'],
  link: { text: 'Accept', url: `${publicUrl}/console/#invitation=${'x'.repeat(43)}` },
}

async function headersOf(changes: Partial<{ from: string; recipient: string; subject: string }>): Promise<string[]> {
  const { from = 'Taskwright <tasks@example.com>', recipient = 'ann@example.org', subject = content.subject } = changes
  const head = { id: '01990000-0000-7000-8000-000000000000', from: mailboxOf(from), recipient, at }
  const raw = (await buildMessage(head, { ...content, subject }, publicUrl)).toString('latin1')
  const [fields = ''] = raw.split('\r\n\r\n')
  return fields.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}

const names = (fields: string[]) => fields.map((field) => field.slice(0, field.indexOf(':'))).toSorted()
const usual = names(await headersOf({}))

test('no line break in a name, a subject or an address begins a header field', async () => {
  for (const breaks of ['\r\n', '\n', '\r', '\u2028', '\u0085', '\r\n ', '\0']) {
    const attack = `x${breaks}Bcc: everybody@example.org${breaks}${breaks}<b>body</b>`
    for (const changes of [{ subject: attack }, { recipient: `ann@example.org${attack}` }]) {
      const fields = await headersOf(changes)
      assert.deepEqual(names(fields), usual)
      assert.ok(!fields.some((field) => /^\S*bcc/i.test(field)))
    }
  }
})

test('header fields are ASCII, and carry letters of any script', async () => {
  const fields = await headersOf({ from: 'Büro 日本 <tasks@example.com>' })
  assert.deepEqual(
    fields.filter((field) => !/^[\x20-\x7e]*$/.test(field)),
    [],
  )
  assert.match(fields.find((field) => field.startsWith('Subject:')) ?? '', /=\?UTF-8\?[BQ]\?/)
  assert.match(fields.find((field) => field.startsWith('From:')) ?? '', /=\?UTF-8\?[BQ]\?.*<tasks@example\.com>/)
})

test('the same mail has the same Message-ID each time', async () => {
  const idOf = (fields: string[]) => fields.find((field) => field.startsWith('Message-ID'))
  assert.equal(idOf(await headersOf({})), 'Message-ID: <01990000-0000-7000-8000-000000000000@example.com>')
  assert.equal(idOf(await headersOf({})), idOf(await headersOf({ subject: 'Again' })))
})

test('the HTML shows text as text, follows dark mode, and loads nothing', () => {
  const html = htmlOf(content, publicUrl)
  assert.ok(html.includes('A &lt; B &amp; &quot;C&quot; of &lt;script&gt;alert(1)&lt;/script&gt;.'))
  assert.ok(!/<script|<img|<link|@import|url\(|<iframe|src=/i.test(html))
  assert.match(html, /<html lang="en">/)
  assert.match(html, /prefers-color-scheme: dark/)
  assert.ok(!htmlOf({ ...content, link: { text: 'x', url: 'https://a/"><b>' } }, publicUrl).includes('"><b>'))
})

test('the text has the link on a line of its own', () => {
  assert.ok(
    textOf(content, publicUrl)
      .split('\n')
      .includes(content.link?.url ?? ''),
  )
})

test('a name in a mail stays on its line, is not long, and is no link', () => {
  assert.equal(nameForMail('Ann\r\nBcc: x\u202e\u200b  Lee'), 'Ann Bcc: x Lee')
  assert.equal([...nameForMail('x'.repeat(500))].length, 80)
  for (const name of ['win.example.com', 'https://example.com/prize', 'www.example.com', 'a@example.com']) {
    const shown = nameForMail(`Team ${name} now`)
    assert.ok(!/\w\.\w|:\/\/|\w@\w/.test(shown), shown)
    assert.equal(shown.replaceAll('\u200b', ''), `Team ${name} now`)
  }
  assert.equal(nameForMail('Dr. Ann O’Neil-日本'), 'Dr. Ann O’Neil-日本')
})

test('the mail about a change says what happened, when, and what to do', async () => {
  const data = { name: 'Ann', change: 'passkey_added', what: 'My phone', at: at.toISOString() }
  const mail = { id: 'm', cause: 'c', recipient: 'ann@example.org', createdAt: at.toISOString(), data }
  const written = await signInChanged({} as Transaction, mail, publicUrl, at.toISOString())
  const text = textOf(written ?? assert.fail(), publicUrl)
  assert.match(text, /A passkey was added to your account: My phone\. This happened on 28 November 2026 at 12:00 UTC\./)
  assert.match(text, /If you did not do this/)
})
