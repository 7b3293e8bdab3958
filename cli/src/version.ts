import own from '../package.json' with { type: 'json' }

/** The version of tw. */
export const { version } = own
