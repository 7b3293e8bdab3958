// Finalizes the open subtasks of a task as soon as the task is completed: node finalizing-bot.mjs position.json
import { readFile, rename, writeFile } from 'node:fs/promises'
import { NotFoundError, PreconditionFailedError, Taskwright } from '@taskwright/client'

const { TASKWRIGHT_URL: baseUrl = 'http://127.0.0.1:3000', TASKWRIGHT_API_KEY: apiKey } = process.env
const tw = new Taskwright({ baseUrl, apiKey })
const [file = 'position.json'] = process.argv.slice(2)

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())

const position = (await remembered()) ?? (await begin())
console.log(`Following events after ${position}`)
for await (const event of tw.events.stream({ after: position, type: ['task.*'] }, { signal: stopping.signal })) {
  if (event.changes.completedAt?.to) await finalizeAll(event)
  // only after the work: after a crash the same event comes again, and its requests have the same keys
  await remember(event.sequence)
}

async function finalizeAll({ id: eventId, resource, snapshot }) {
  try {
    for await (const subtask of tw.tasks.subtasks.list(resource.id)) {
      if (subtask.finalizedAt !== null) continue
      await finalize(subtask, `${eventId}:${subtask.id}`)
      console.log(`${snapshot.key}: ${subtask.name}`)
    }
  } catch (error) {
    // somebody deleted the task
    if (!(error instanceof NotFoundError)) throw error
  }
}

async function finalize({ id }, idempotencyKey) {
  try {
    await tw.subtasks.finalize(id, { idempotencyKey })
  } catch (error) {
    // somebody else finalized or deleted it
    if (!(error instanceof PreconditionFailedError || error instanceof NotFoundError)) throw error
  }
}

/** The first start follows only new events. */
async function begin() {
  const { latest } = await tw.events.getHead()
  await remember(latest)
  return latest
}

async function remembered() {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

async function remember(sequence) {
  await writeFile(`${file}.new`, JSON.stringify(sequence))
  await rename(`${file}.new`, file)
}
