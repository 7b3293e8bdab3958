const isShortRun = ['quick', 'database'].includes(process.env.TEST_TIER ?? '')

/** How often a property is tried: a few times in the quick tier and on another database, otherwise many times. */
export const rounds = (few: number, many: number): number => (isShortRun ? few : many)
