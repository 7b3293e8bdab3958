// without this recheck starts a program of its own
process.env.RECHECK_BACKEND = 'pure'

/** Whether a regular expression can take more than linear time; for all of ours it computes for half a minute. */
export const { checkSync } = await import('recheck')
