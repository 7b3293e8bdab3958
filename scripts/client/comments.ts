/** Formats paragraphs as a doc comment, with at most 120 characters per line after the indentation. */
export function commented(paragraphs: readonly string[]): string {
  const lines = paragraphs.flatMap((paragraph, i) => [
    ...(i > 0 && isProse(paragraph) ? [''] : []),
    ...wrapped(paragraph),
  ])
  if (lines.length === 0) return ''
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

const isProse = (paragraph: string) => !paragraph.startsWith('@')

const widest = 112

// an example is code, so its lines stay as they are
function wrapped(paragraph: string): string[] {
  const harmless = paragraph.replaceAll('*/', '*\\/')
  if (harmless.startsWith('@example')) return harmless.split('\n')
  const lines: string[] = ['']
  for (const word of harmless.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= widest) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
