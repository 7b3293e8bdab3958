import { forgetAll } from './storage.ts'

/** The beginning of the names of all drafts in the storage of the browser. */
export const draftPrefix = 'taskwright.draft.'

/** Deletes the unsaved text of a member from this tab. */
export const forgetDrafts = (memberId: string) => forgetAll('tab', `${draftPrefix}${memberId}.`)
