import { foldingTexts, type SearchWords } from '../db/search-words.ts'
import { Steps } from '../operations/steps.ts'

/** What a thing with these texts is found by, the name first; others come in between where they are long. */
export const foldedTexts = (orgId: string, texts: readonly (string | null | undefined)[]): Promise<SearchWords> =>
  new Steps(orgId).run(foldingTexts(texts))
