import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Case, Sample } from '../rounds.ts'
import { type Row, rates } from '../rows.ts'

const Sent = z.object({
  method: z.enum(['GET', 'POST']).default('GET'),
  path: z.string().startsWith('/'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
})

const requests = z.array(Sent.transform(({ body, ...sent }) => ({ ...sent, ...(body === undefined ? {} : { body }) })))

const File = z.strictObject({
  name: z.string(),
  url: z.url(),
  pid: z.int().optional(),
  page: requests.min(1).optional(),
  one: requests.min(1).optional(),
  post: requests.min(1).optional(),
  offsetList: requests.min(1).optional(),
})

type Kind = 'page' | 'one' | 'post' | 'offsetList'

/** Another server that runs already and is asked for the like of what taskwright is asked for. */
export interface Rival {
  /** to be measured in one family with taskwright; none where it has nothing like it */
  cases(kind: Kind): { rival?: Case }
  rows(what: string, found: { taskwright: Sample[]; rival?: Sample[] }): Row[]
}

/**
 * Reads what is to be measured beside the others.
 * @param path a JSON file: name, url, perhaps pid, and requests for page, one, post and offsetList, as far as it has them
 */
export async function readRival(path: string): Promise<Rival> {
  const { name, url, pid, ...kinds } = File.parse(JSON.parse(await readFile(path, 'utf8')))
  const subject = { name, base: url.replace(/\/$/, ''), pid, stop: async () => {} }
  return {
    cases(kind) {
      const requests = kinds[kind]
      return requests ? { rival: { subject, requests } } : {}
    },
    rows: (what, { taskwright, rival }) =>
      rival ? [rates({ what: `${what}: taskwright / ${name}`, samples: taskwright, against: rival })] : [],
  }
}
