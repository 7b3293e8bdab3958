import { app } from './app.ts'
import { brand } from './brand.ts'
import { campaign } from './campaign.ts'
import { care } from './care.ts'
import type { ProjectKind } from './kind.ts'
import { migration } from './migration.ts'
import { portal } from './portal.ts'
import { shop } from './shop.ts'
import { website } from './website.ts'

/** The kinds of projects, in the order in which an agency of any size has them. */
export const kinds: readonly ProjectKind[] = [website, app, shop, portal, brand, migration, campaign, care]
