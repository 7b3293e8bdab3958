/**
 * Which test files a run takes: the quick ones, those that the quick run leaves out, all of them, or those that another
 * PostgreSQL might answer differently.
 */
const tiers = ['quick', 'slow', 'all', 'database'] as const
export type Tier = (typeof tiers)[number]

export const tierOption = '--tier='

/** @throws on a word that is no tier */
export function tierFrom(option: string | undefined, otherwise: Tier): Tier {
  const name = option?.slice(tierOption.length) ?? otherwise
  const tier = tiers.find((tier) => tier === name)
  if (tier === undefined) throw new Error(`${name} is no tier: ${tiers.join(', ')}`)
  return tier
}

// programs, clusters, browsers, backups, plans and skewed tables
const isSlowImport = /from 'node:child_process'|\/support\/slow\/|\/support\/visits\.ts'/
// a file with a property runs in both tiers: few rounds in the quick one, many in the slow one
const hasProperty = /\/support\/rounds\.ts'/
const usesDatabase = /\/support\/(?:world|scene)\.ts'/

/**
 * Whether a tier takes a test file. It follows from the imports of the file.
 * @param name its path from the top of the repository
 * @param text its content
 */
export function isInTier(tier: Tier, name: string, text: string): boolean {
  const isQuick = name.includes('/first-visits/') || !isSlowImport.test(text)
  if (tier === 'quick') return isQuick
  if (tier === 'slow') return !isQuick || hasProperty.test(text)
  if (tier === 'all') return true
  return (
    /^server\/test\/(?:db|lists|search)\//.test(name) ||
    (name.startsWith('server/') && isQuick && usesDatabase.test(text))
  )
}
