/**
 * Removes case and accents from a name. The server compares names in this form: two tags cannot have the same one. Use it to
 * find a name in a list as the server does. Marks that make another letter stay: `й` is not `и`, `が` is not `か`.
 * @example foldName('Café') === foldName('CAFE')
 */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(accents, '')
    // ẞ is a capital already; capitals make ß and ss the same
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')

// the same as in server/src/db/normalize-text.ts
const accents =
  /(?![\u3099\u309a]|\u0306(?<=[ИиУу]\p{M}*)|\u0308(?<=[Іі]\p{M}*)|\u0301(?<=[ГгКк]\p{M}*))(?=[\p{sc=Zinh}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}])\p{M}/gu
