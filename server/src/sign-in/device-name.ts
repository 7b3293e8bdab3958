// in this order: many browsers also name those whose pages they want
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** A readable name of a browser and its system: `Chrome on Linux`. It is a hint, because a client can send any User-Agent. */
export function deviceName(userAgent: string): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([token]) => userAgent.includes(token))?.[1]
  // a program says its name first: curl/8.5.0
  const program = /^[\w.-]{1,30}(?=\/)/.exec(userAgent)?.[0]
  const browser = find(browsers) ?? (program === 'Mozilla' ? undefined : program)
  const system = find(systems)
  if (browser === undefined) return system ?? 'Unknown device'
  return system === undefined ? browser : `${browser} on ${system}`
}
