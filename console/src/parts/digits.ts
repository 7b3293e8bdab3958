// of the scripts that browsers format numbers in
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** A text with the digits 0 to 9 for those of other scripts, and their decimal sign as a point. */
export const latinDigits = (text: string): string =>
  text
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = zeros.find((zero) => code >= zero && code < zero + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replace(/\u066b/g, '.')
