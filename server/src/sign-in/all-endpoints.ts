import type { Endpoint } from './endpoint.ts'
import { links } from './links.ts'
import { sessions } from './sessions.ts'

/** All requests about signing in. */
export const endpoints: readonly Endpoint[] = [...sessions, ...links]
