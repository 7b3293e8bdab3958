import type { Kind } from '../operations/operation.ts'

/** Other typed values that limit the lookup of stages and workspaces. */
export type NameScope = Partial<Record<'project' | 'workspace' | 'task' | 'stage', string>>

/** Looks up an id by a key, an e-mail address or a name. */
export type IdOf = (kind: Kind, text: string, within: NameScope) => Promise<string>

/** The names that contain a comma in the results of a text search, folded. */
export type CommaNames = (kind: Exclude<Kind, 'task'>, text: string, within: NameScope) => Promise<readonly string[]>
