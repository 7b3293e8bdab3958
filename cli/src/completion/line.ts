/** Splits a line as a shell does; the last word is incomplete. @returns the open quote too, if there is one */
export function lastWordIn(line: string): { words: string[]; quote: string } {
  const words: string[] = []
  let [word, quote, isInside]: [string, string, boolean] = ['', '', false]
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"') word += line[++i] ?? ''
      else word += char
    } else if (char === '"' || char === "'") [quote, isInside] = [char, true]
    else if (char === '\\') [word, isInside] = [word + (line[++i] ?? ''), true]
    else if (/\s/.test(char)) {
      if (isInside) words.push(word)
      ;[word, isInside] = ['', false]
    } else [word, isInside] = [word + char, true]
  }
  // the first word is tw
  return { words: [...words, word].slice(1), quote }
}
