import type { Route } from '../operations/route.ts'

/** `GET /tags/{id}` is readTag, `GET /projects/{id}/members` listProjectMembers, `POST /tasks/{id}/move` moveTask, `…/rotate-secret` rotateWebhookSecret. */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  const last = words.at(-1) ?? ''
  // nouns that one can add to are plural: whatever else is posted to is an action
  if (method === 'POST' && !last.endsWith('s')) {
    const [verb, ...object] = last.split('-')
    return verb + [...words.slice(0, -1).map(singular), ...object.map(capitalized)].join('')
  }
  // a report on tasks is one report
  const many = method === 'GET' && last.endsWith('s') && path.endsWith(last) && words[0] !== 'reports'
  const verb = many ? 'list' : { GET: 'read', POST: 'create', PATCH: 'update', DELETE: 'delete' }[method]
  const nouns = words.map((word, i) => (many && i === words.length - 1 ? capitalized(word) : singular(word)))
  return verb + nouns.join('')
}

const capitalized = (word: string) => word.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
const singular = (word: string) => capitalized(word.replace(/ies$/, 'y').replace(/s$/, ''))
