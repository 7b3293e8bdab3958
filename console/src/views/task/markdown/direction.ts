const rightToLeft =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u

/**
 * The direction of a text, from its first letter. The browser's `dir="auto"` reads all parts again for each added part, which
 * takes seconds for a text of thousands of parts.
 */
export const directionOf = (text: string): 'rtl' | 'ltr' => (rightToLeft.test(text) ? 'rtl' : 'ltr')
