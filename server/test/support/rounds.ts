const isShortRun = ['quick', 'database'].includes(process.env.TEST_TIER ?? '')

/** How often a property is tried: a few times in the quick tier and on another database, otherwise many times. */
export const rounds = (few: number, many: number): number => (isShortRun ? few : many)

/** Some of the cases of a property in the quick tier and on another database, and all of them otherwise. */
export const sample = <Case>(cases: readonly Case[], every = 4): Case[] =>
  cases.filter((_, place) => place % rounds(every, 1) === 0)
