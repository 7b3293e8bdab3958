// the zero of each script in which browsers format numbers
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** Replaces digits of other scripts by 0 to 9, and their decimal sign by a point. */
export const latinDigits = (text: string): string =>
  text
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = zeros.find((zero) => code >= zero && code < zero + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replace(/\u066b/g, '.')
