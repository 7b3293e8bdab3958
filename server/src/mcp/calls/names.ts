import { normalizeText } from '../../db/normalize-text.ts'
import { isUuid } from '../../operations/run-operation.ts'
import type { Stage } from '../../resources/board/stage.ts'
import type { Member } from '../../resources/member.ts'
import type { Project } from '../../resources/project.ts'
import type { Call } from './call.ts'
import { Refusal } from './refusal.ts'
import { nameInList, oneLine } from './text.ts'

/** A page of a list. */
export interface Page<Item> {
  data: Item[]
  total?: number
  pagination?: { nextCursor: string | null }
}

interface NamedItem {
  id: string
  name: string
}

const keyOfTask = /^[a-z][a-z0-9]{1,9}-[1-9][0-9]{0,9}$/i

/** The key or id of a task, for a path. @param argument the argument's name @throws Refusal if the text is neither */
export function taskKey(written: string, argument = 'task'): string {
  const text = written.trim()
  if (keyOfTask.test(text)) return text.toUpperCase()
  if (isUuid(text)) return text
  throw new Refusal(`${argument}: ${shown(text)} is not a task key such as WEB-12. Find the key with find_tasks.`)
}

/** The different tasks of an argument. A text can name several: `WEB-1, WEB-2`. @throws Refusal above `most` */
export function taskKeys(written: readonly string[], most: number): [string, ...string[]] {
  const words = written.flatMap((text) => text.split(/[,\s]+/)).filter((word) => word !== '')
  const [first = taskKey(''), ...others] = new Set(words.map((word) => taskKey(word)))
  if (others.length >= most) throw new Refusal(`task: Give at most ${most} tasks in one call.`)
  return [first, ...others]
}

/** Searches a list by a text. @returns the matches, and the candidates to show: the start of the list if nothing matches */
async function search<Item>(call: Call, path: '/projects' | '/members' | '/tags' | '/task-types', text: string) {
  const found = await call.get<Page<Item>>(path, { q: text, limit: onPage })
  const all = found.data.length > 0 ? found : await call.get<Page<Item>>(path, { limit: mostShown })
  return { like: found.data, all }
}

/** Finds a project by its key, name or id. @throws Refusal if none or several match */
export async function projectNamed(call: Call, written: string): Promise<Project> {
  const text = written.trim()
  if (isUuid(text)) return call.get<Project>(`/projects/${text}`, {}, `the project ${shown(text)}`)
  const { like, all } = await search<Project>(call, '/projects', text)
  const byKey = like.find(({ key }) => key === text.toUpperCase())
  return byKey ?? oneOf('project', text, like, all, ({ key, name }) => `${key} (${oneLine(name, 60)})`)
}

/** Finds a member by name, e-mail address, id or `me`. @throws Refusal if none or several match */
export async function memberNamed(call: Call, written: string, argument = 'member'): Promise<NamedItem> {
  const text = written.trim()
  if (text.toLowerCase() === 'me') return { id: call.caller.memberId, name: 'you' }
  if (isUuid(text)) return { id: text, name: text }
  const { like, all } = await search<Member>(call, '/members', text)
  const byEmail = like.find(({ email }) => email === text.toLowerCase())
  const active = like.filter(({ status }) => status === 'active')
  const show = ({ name, email }: Member) => `${oneLine(name, 60)} <${oneLine(email, 254)}>`
  return byEmail ?? oneOf('member', text, active.length > 0 ? active : like, all, show, argument)
}

/** The value of a filter by member: an id, `me` or `none`. */
export async function memberFilter(
  call: Call,
  written: string | undefined,
  argument = 'member',
): Promise<string | undefined> {
  if (written === undefined) return undefined
  const word = written.trim().toLowerCase()
  return word === 'none' || word === 'me' ? word : (await memberNamed(call, written, argument)).id
}

/** Finds a tag by its name. */
export const tagNamed = (call: Call, written: string, argument = 'tag'): Promise<NamedItem> =>
  labelNamed(call, 'tag', '/tags', written, argument)

/** Finds a task type by its name. */
export const typeNamed = (call: Call, written: string): Promise<NamedItem> =>
  labelNamed(call, 'type', '/task-types', written, 'type')

async function labelNamed(
  call: Call,
  noun: string,
  path: '/tags' | '/task-types',
  written: string,
  argument: string,
): Promise<NamedItem> {
  const text = written.trim()
  const { like, all } = await search<NamedItem>(call, path, text)
  return oneOf(noun, text, like, all, ({ name }) => nameInList(name), argument)
}

/** The boards that tasks of a project can be on: its own first, then those of the whole organization. */
export async function boardsOf(call: Call, projectId: string): Promise<(NamedItem & { projectId: string | null })[]> {
  const { data } = await call.get<Page<NamedItem & { projectId: string | null }>>('/workspaces', {
    projectId: `${projectId},none`,
    limit: onPage,
  })
  return data.toSorted((one, other) => Number(one.projectId === null) - Number(other.projectId === null))
}

/** Finds a board of a project by its name. */
export async function boardNamed(call: Call, written: string, projectId: string): Promise<NamedItem> {
  const boards = await boardsOf(call, projectId)
  return oneOf('board', written.trim(), boards.filter(isLike(written)), { data: boards }, ({ name }) =>
    nameInList(name),
  )
}

/** The stages of a board, in order. */
export const stagesOf = async (call: Call, boardId: string): Promise<Stage[]> =>
  (await call.get<Page<Stage>>(`/workspaces/${boardId}/stages`, { limit: onPage })).data

/**
 * Finds a stage by its name. If no stage has the name, `todo`, `doing` and `done` mean the first stage of that category.
 * @throws Refusal if none or several match
 */
export async function stageNamed(call: Call, written: string, boards: readonly NamedItem[]): Promise<Stage> {
  const text = written.trim()
  const where = boards.map(({ name }) => nameInList(name)).join(', ')
  if (boards.length > mostBoards)
    throw new Refusal(`stage: There are ${boards.length} boards. Also give the board: ${where}.`)
  const ofEach = await stagesOfEach(call, boards)
  const found = thoseNamed(text, ofEach)
  if (found.length === 1 && found[0]) return found[0]
  if (found.length > 1) throw new Refusal(`stage: ${shown(text)} is on several boards. Also give the board: ${where}.`)
  throw new Refusal(
    `stage: There is no stage ${shown(text)} on ${where || 'any board of the project'}. ${listed('stages', ofEach.flat())}`,
  )
}

/**
 * Finds all stages with a name, or else the first stage of that category on each board.
 * @throws Refusal if there are many boards
 */
export async function stagesNamed(call: Call, written: string, boards: readonly NamedItem[]): Promise<Stage[]> {
  if (boards.length > mostBoards)
    throw new Refusal(`stage: There are ${boards.length} boards, too many to look through. Give status instead.`)
  return thoseNamed(written, await stagesOfEach(call, boards))
}

const stagesOfEach = (call: Call, boards: readonly NamedItem[]): Promise<Stage[][]> =>
  Promise.all(boards.map(({ id }) => stagesOf(call, id)))

function thoseNamed(written: string, ofEach: readonly Stage[][]): Stage[] {
  const wanted = normalizeText(written.trim())
  const named = ofEach.flat().filter(({ name }) => normalizeText(name) === wanted)
  if (named.length > 0) return named
  return ofEach.flatMap((stages) => stages.find(({ category }) => category === wanted) ?? [])
}

const onPage = 100

/** How many boards a call looks through: each takes an operation. */
export const mostBoards = 8

/**
 * Chooses the item with exactly this name or id, or else the only similar item.
 * @param like the items with a similar name
 * @param all the candidates for the message, if none is similar
 * @param argument the argument's name
 * @throws Refusal if none or several match
 */
function oneOf<Item extends NamedItem>(
  noun: string,
  wanted: string,
  like: readonly Item[],
  all: Page<Item>,
  show: (item: Item) => string,
  argument = noun,
): Item {
  const name = normalizeText(wanted)
  const exact = like.filter((item) => normalizeText(item.name) === name || item.id === wanted)
  const [only, ...others] = exact.length > 0 ? exact : like
  if (only && others.length === 0) return only
  if (only) {
    const candidates = [only, ...others].slice(0, mostShown).map(show).join(', ')
    throw new Refusal(`${argument}: ${shown(wanted)} matches several. Choose one: ${candidates}.`, 'ambiguous')
  }
  throw new Refusal(
    `${argument}: There is no ${noun} ${shown(wanted)}. ${listed(`${noun}s`, all.data, show, all.total)}`,
    'not_found',
  )
}

const mostShown = 10

function listed<Item extends NamedItem>(
  nouns: string,
  items: readonly Item[],
  show: (item: Item) => string = ({ name }) => nameInList(name),
  total = items.length,
): string {
  if (items.length === 0) return `There are no ${nouns} that you can see.`
  const names = items.slice(0, mostShown).map(show).join(', ')
  return `The ${nouns}: ${names}${total > mostShown ? `, and ${total - mostShown} more` : ''}.`
}

const isLike =
  (written: string) =>
  ({ id, name }: NamedItem): boolean =>
    id === written || normalizeText(name).includes(normalizeText(written.trim()))

const shown = (text: string): string => JSON.stringify(oneLine(text, 60))
