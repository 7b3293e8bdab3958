// Keeps the tasks of a project and a JSON file in sync, in both directions: node json-sync.mjs WEB tasks.json
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { ApiError, PreconditionFailedError, Taskwright } from '@taskwright/client'

const { TASKWRIGHT_URL: baseUrl = 'http://127.0.0.1:3000', TASKWRIGHT_API_KEY: apiKey } = process.env
const tw = new Taskwright({ baseUrl, apiKey })
const [projectKey, file] = process.argv.slice(2)
if (file === undefined) throw new Error('node json-sync.mjs <key of the project> <file>')

const fields = ['name', 'description', 'priority', 'dueDate']
const baseFile = `${file}.base` // the values at the last sync: they show which side has changed what

const project = await projectWith(projectKey)
const known = {} // the content of each file when it was last read or written
const local = await read(file, [])
const base = await read(baseFile, {})
for (const entry of local) if (entry.key === undefined) await create(entry)
const server = new Map()
for await (const task of tw.tasks.list({ projectId: project.id })) server.set(task.key, task)

for (const entry of local) if (entry.key !== undefined) await align(entry, server.get(entry.key))
for (const [key, task] of server) if (!local.some((entry) => entry.key === key)) adopt(task)
await save()

/** Creates a task for a new entry. Saves the request and its key first: after a crash, the same request is sent again. */
async function create(entry) {
  entry.creating ??= { idempotencyKey: randomUUID(), task: pick(entry) }
  await save()
  const { idempotencyKey, task: sent } = entry.creating
  try {
    const task = await tw.tasks.create({ ...sent, projectId: project.id }, { idempotencyKey })
    // fields that were edited since the first attempt go to the server as an update
    const edited = Object.fromEntries(
      fields.filter((field) => entry[field] !== sent[field]).map((field) => [field, entry[field]]),
    )
    settle(entry, task)
    Object.assign(entry, edited)
    console.log(`${task.key} is new on the server`)
  } catch (error) {
    // the server refused it and created nothing, so the next version of the entry is a new request
    if (!(error instanceof ApiError) || error.mayBeDone) throw error
    console.log(`${text(entry.name)} was refused: ${error.message} ${text(error.fieldErrors)}`)
  }
  delete entry.creating
  await save()
}

/** Copies a change of one side to the other. A field that both changed is a conflict, and stays as it is on both sides. */
async function align(entry, task) {
  if (task === undefined) return console.log(`${entry.key} no longer exists on the server; it stays in the file`)
  const before = base[entry.key] ?? {}
  const mine = fields.filter((field) => field in entry && entry[field] !== before[field])
  const theirs = fields.filter((field) => task[field] !== before[field])
  // an entry without `conflict` is decided: its current values count
  const clashing = mine.filter((field) => theirs.includes(field) && entry[field] !== task[field])
  if (clashing.length > 0) return clash(entry, task, clashing)
  if ('conflict' in entry) return console.log(`${entry.key} still has a conflict: choose a value and remove "conflict"`)
  const changes = Object.fromEntries(
    mine.filter((field) => entry[field] !== task[field]).map((field) => [field, entry[field]]),
  )
  const inform = theirs.filter((field) => !mine.includes(field))
  if (inform.length > 0) console.log(`${entry.key} updated from the server: ${inform.join(', ')}`)
  if (Object.keys(changes).length === 0) return settle(entry, task)
  try {
    settle(entry, await tw.tasks.update(task.id, changes, { ifMatch: `"${task.version}"` }))
    console.log(`${entry.key} updated from the file: ${Object.keys(changes).join(', ')}`)
  } catch (error) {
    if (!(error instanceof PreconditionFailedError)) throw error
    // somebody changed the task after the list was read
    await align(entry, await tw.tasks.get(task.id))
  }
}

/** Shows both values, and stores the server's value as the base of the next decision. */
function clash(entry, task, clashing) {
  entry.conflict = Object.fromEntries(clashing.map((field) => [field, { here: entry[field], there: task[field] }]))
  base[entry.key] = { ...base[entry.key], ...Object.fromEntries(clashing.map((field) => [field, task[field]])) }
  for (const field of clashing)
    console.log(`${entry.key} has a conflict in ${field}: here ${text(entry[field])}, there ${text(task[field])}`)
}

function settle(entry, task) {
  Object.assign(entry, { key: task.key, ...pick(task) })
  base[task.key] = pick(task)
}

function adopt(task) {
  local.push({})
  settle(local.at(-1), task)
  console.log(`${task.key} is new in the file`)
}

async function projectWith(key) {
  for await (const project of tw.projects.list()) if (project.key === key) return project
  throw new Error(`There is no project ${key}`)
}

function pick(of) {
  return Object.fromEntries(fields.filter((field) => of[field] !== undefined).map((field) => [field, of[field]]))
}

function text(value) {
  return JSON.stringify(value)
}

async function read(path, none) {
  known[path] = await textOf(path)
  return known[path] === undefined ? none : JSON.parse(known[path])
}

async function textOf(path) {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

/** Writes each file completely or not at all. The main file is first: a crash in between at most shows a change again. */
async function save() {
  for (const [path, value] of [
    [file, local],
    [baseFile, base],
  ]) {
    if ((await textOf(path)) !== known[path])
      throw new Error(`${path} was edited in the meantime. Run the program again`)
    known[path] = `${JSON.stringify(value, null, 2)}\n`
    await writeFile(`${path}.new`, known[path])
    await rename(`${path}.new`, path)
  }
}
