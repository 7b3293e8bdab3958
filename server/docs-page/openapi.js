import { root } from './root.js'

/** The OpenAPI document of this server, as the operations that a person looks for. */
export async function readApi() {
  const response = await fetch(`${root}/api/v1/openapi.json`)
  if (!response.ok) throw new Error(`The OpenAPI document could not be read (${response.status}).`)
  const document = await response.json()
  // a reference is a path into the document, such as #/components/schemas/Task
  const resolve = (it) =>
    it.$ref
      ? resolve(
          it.$ref
            .slice(2)
            .split('/')
            .reduce((whole, part) => whole[part], document),
        )
      : it
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      group: groupOf(operation.operationId),
      parameters: operation.parameters.map(resolve),
      body: schemaOf(operation.requestBody ?? {}),
      answers: answersOf(operation, resolve),
    })),
  )
  const eventTypes = Object.entries(document.webhooks).map(([type, { post }]) => {
    const [event, narrowed] = schemaOf(post.requestBody).allOf
    const { snapshot } = narrowed.properties
    const parameters = post.parameters.map(resolve)
    return { type, description: post.description, parameters, answers: answersOf(post, resolve), event, snapshot }
  })
  const groups = new Map(operations.map(({ group }) => [group, []]))
  for (const operation of operations) groups.get(operation.group).push(operation)
  return { info: document.info, operations, groups, eventTypes, resolve }
}

// nouns that are read together; any other noun is a group of its own
const together = {
  Organization: ['organizations', 'organization', 'me'],
  Boards: ['workspaces', 'stages', 'boards'],
  'Tags and types': ['tags', 'taskTypes'],
  Time: ['timeEntries', 'timer'],
  'Reports and search': ['reports', 'search'],
  Webhooks: ['webhooks', 'deliveries'],
}

/** The group of an operation, by the first noun of its name. */
function groupOf(operationId) {
  const [noun] = operationId.split('.')
  return Object.keys(together).find((group) => together[group].includes(noun)) ?? titleOf(noun)
}

const answersOf = ({ responses }, resolve) =>
  Object.entries(responses).map(([status, answer]) => {
    const { description } = answer
    // beside a reference, a description replaces that of the response
    return { status, ...resolve(answer), ...(description ? { description } : {}) }
  })

/** `Task` of a reference to it, else undefined. */
export const nameOf = ({ $ref }) => $ref?.split('/').at(-1)

/** `Time entries` for `time-entries`, `Time entry` for `TimeEntry`. */
export function titleOf(group) {
  const words = group.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' ')
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Api\b/, 'API')
}

/** The schema of what the operation answers when all goes well. */
export const answerSchema = ({ answers }) => schemaOf(answers.find(({ status }) => status.startsWith('2')))

export const schemaOf = ({ content }) => content?.['application/json']?.schema
