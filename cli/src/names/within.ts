import type { Kind } from '../operations/operation.ts'

/** In what names of stages and workspaces are looked for: what else was typed. */
export type Within = Partial<Record<'project' | 'workspace' | 'task' | 'stage', string>>

/** The id of what people name by a key, an e-mail address or a name. */
export type IdOf = (kind: Kind, text: string, within: Within) => Promise<string>

/** The names with a comma among those that a search for a text finds, folded. */
export type CommaNames = (kind: Exclude<Kind, 'task'>, text: string, within: Within) => Promise<readonly string[]>
