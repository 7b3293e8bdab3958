import { app } from './app.ts'
import { brand } from './brand.ts'
import { campaign } from './campaign.ts'
import { care } from './care.ts'
import type { Discipline } from './disciplines.ts'
import { migration } from './migration.ts'
import { portal } from './portal.ts'
import { shop } from './shop.ts'
import { website } from './website.ts'

/** A kind of project, and the words that its tasks are made of. */
export interface Kind {
  /** what it is to a client */
  name: string
  description: string
  color: string
  tags: readonly string[]
  /** what may stand in a hole of a pattern */
  words: Readonly<Record<string, readonly string[]>>
  /** names of tasks, with holes such as {page} */
  patterns: Readonly<Partial<Record<Discipline, readonly string[]>>>
}

/** The kinds of projects, in the order in which an agency of any size has them. */
export const kinds: readonly Kind[] = [website, app, shop, portal, brand, migration, campaign, care]
