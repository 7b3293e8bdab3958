import { lockProject } from '../access/locks.ts'
import type { Db } from '../db/db.ts'
import { nilId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'
import type { Job, Run } from './job.ts'
import { inOrganization, organizationsWith } from './organizations.ts'

/** From the beginning of one look through all words to that of the next. */
const everyMs = 6 * 3_600_000

/** The first one comes some time after a start: whoever starts a server again and again has other things to do. */
const firstAfterMs = 600_000

/**
 * Takes words out of the vocabulary of a project that are in nothing there any more. To look through all words may take several
 * runs: each goes on where the last one was.
 */
export function unlearning(batch?: number): Job {
  let begunMs = Date.now() - everyMs + firstAfterMs
  let places: Places | undefined
  return {
    name: 'vocabulary',
    everyMs: 60_000,
    async run(run) {
      const nowMs = run.now.getTime()
      if (!places) {
        // also where the clock was set back
        if (Math.abs(nowMs - begunMs) < everyMs) return
        places = await beginnings(run)
        begunMs = nowMs
      }
      await unlearnFrom(places, run, batch)
      if (places.size === 0) places = undefined
    },
  }
}

/** Looks through all words once. @param batch words of an organization at a time */
export const unlearn = async (run: Run, batch?: number) => unlearnFrom(await beginnings(run), run, batch)

/** By organization that is not done, the last word that was looked at. */
type Places = Map<string, Word>

async function beginnings({ db }: Run): Promise<Places> {
  const due = await organizationsWith(db, sql`vocabulary where vocabulary.org_id = organizations.org_id`)
  return new Map(Array.from(due, (orgId) => [orgId, beforeAll]))
}

function unlearnFrom(places: Places, { db, inEach }: Run, batch = 1_000): Promise<void> {
  return inEach(places.keys(), async (orgId) => {
    const place = places.get(orgId) ?? beforeAll
    // where it fails, the others do not wait for it
    places.delete(orgId)
    const words = await nextWords(db.forTenant(orgId), orgId, place, batch)
    const gone = words.filter(({ lives }) => !lives)
    for (const projectId of new Set(gone.map(({ projectId }) => projectId))) {
      const ofProject = gone.filter((word) => word.projectId === projectId)
      await inOrganization(db, orgId, (tx) => removeWords(tx, orgId, projectId, ofProject))
    }
    const last = words.at(-1)
    if (!last || words.length < batch) return false
    places.set(orgId, last)
    return true
  })
}

/** A row of the vocabulary. */
interface Word {
  kind: number
  projectId: string
  word: string
  id: string
}

const beforeAll: Word = { kind: 0, projectId: nilId, word: '', id: nilId }

const isPosted = (orgId: string) => sql`exists (
  select from postings where postings.org_id = ${orgId} and postings.kind = vocabulary.kind
    and postings.word = vocabulary.word and postings.project_id = vocabulary.project_id offset 0)`

const nextWords = (db: Db, orgId: string, { kind, projectId, word, id }: Word, batch: number) =>
  db.rows<Word & { lives: boolean }>(sql`
    select kind, project_id as "projectId", word, id, ${isPosted(orgId)} as lives from (
      select kind, project_id, word, id from vocabulary where vocabulary.org_id = ${orgId}
        and (kind, project_id, word, id) > (${kind}::smallint, ${projectId}::uuid, ${word}::text, ${id}::uuid)
      order by kind, project_id, word, id limit ${batch}) vocabulary
    order by kind, project_id, word, id`)

/**
 * Who posts a word that is known does not add it: so whoever writes in the project finishes first, and whoever comes then finds
 * it gone. The job that follows the log takes no turn there, and is kept off by where it stands.
 */
async function removeWords(tx: Db, orgId: string, projectId: string, words: readonly Word[]): Promise<boolean> {
  await tx.rows(sql`select from search_positions where search_positions.org_id = ${orgId} for update`)
  const which = sql`projects.org_id = ${orgId} and projects.id = ${projectId}`
  await tx.rows(sql`select from projects where ${lockProject('update', which)}`)
  await tx.rows(sql`
    delete from vocabulary where vocabulary.org_id = ${orgId} and vocabulary.project_id = ${projectId}
      and (vocabulary.kind, vocabulary.word) in (
        select * from unnest(${words.map(({ kind }) => kind)}::smallint[], ${words.map(({ word }) => word)}::text[]))
      and not ${isPosted(orgId)}`)
  return false
}
