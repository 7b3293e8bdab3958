import type { MailContent } from './kinds.ts'

/** The text of a mail. */
export const textOf = ({ paragraphs, link }: MailContent, publicUrl: string): string =>
  [...paragraphs, ...(link ? [`${link.text}:\n${link.url}`] : []), `-- \n${sender(publicUrl)}\n`].join('\n\n')

/**
 * The HTML of a mail: one column, system fonts, no images, nothing from the network. The styles are inline, because some mail
 * programs drop <style>; that element only has the colours of dark mode.
 */
export function htmlOf({ subject, paragraphs, link }: MailContent, publicUrl: string): string {
  const text = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escaped(paragraph)}</p>`)
  const button = link
    ? [
        `<p style="margin:24px 0 8px"><a class="button" href="${escaped(link.url)}" style="${buttonStyle}">${escaped(link.text)}</a></p>`,
        `<p class="quiet" style="margin:0 0 16px;font-size:14px;color:#57606a">If the button does not work, open this address: <a class="plain" href="${escaped(link.url)}" style="color:#0b57d0;overflow-wrap:anywhere">${escaped(link.url)}</a></p>`,
      ]
    : []
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #16181d !important; color: #e6e8eb !important; }
  .quiet { color: #a3aab3 !important; }
  .plain { color: #8ab4f8 !important; }
  .button { background: #8ab4f8 !important; color: #10141a !important; }
  .foot { border-color: #3a3f47 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#ffffff;color:#1f2328">
<div class="page" dir="auto" style="max-width:560px;margin:0 auto;padding:32px 24px;background:#ffffff;color:#1f2328;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<h1 style="margin:0 0 20px;font-size:20px;line-height:1.3">${escaped(subject)}</h1>
${[...text, ...button].join('\n')}
<p class="quiet foot" style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d0d7de;font-size:14px;color:#57606a">${escaped(sender(publicUrl))}</p>
</div>
</body>
</html>
`
}

const buttonStyle =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#0b57d0;color:#ffffff;font-weight:600;text-decoration:none'

const sender = (publicUrl: string) => `The Taskwright server at ${publicUrl} sent this mail.`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
