import { commented } from './comments.ts'
import { type Document, nameIn, type Schema } from './json-schema.ts'
import { fieldLine, fieldsOf, typeOf, type Writing } from './types.ts'

/** The types of events: one for each event type, and their union. */
export function eventTypes({ webhooks, components }: Document, writing: Writing): string {
  const snapshots = Object.entries(webhooks).map(([type, { post }]) => {
    const parts = post.requestBody.content['application/json'].schema.allOf
    return fieldLine(`'${type}'`, typeOf(snapshotIn(parts), writing), { field: {}, isRequired: true, writing })
  })
  const { properties = {}, required = [], description = '' } = components.schemas.Event ?? {}
  const typed: Record<string, string> = { type: 'Type', snapshot: 'EventSnapshots[Type] & Record<string, unknown>' }
  const narrowing: Writing = { ...writing, typeNamed: (name) => typed[name] ?? writing.typeNamed(name) }
  const fields = Object.entries(properties).map(([name, field]): [string, Schema] => [
    name,
    name in typed ? { ...field, $ref: name } : field,
  ])
  return [
    `${commented(['What the snapshot of an event is, by the type of the event.'])}export interface EventSnapshots {\n${snapshots.join('')}}\n`,
    `${commented([`An event of one type. ${description}`])}export interface EventOf<Type extends EventType> {\n${fieldsOf({ properties: Object.fromEntries(fields), required }, narrowing)}}\n`,
    `${commented([
      description,
      'Its `type` tells what its `snapshot` is. A newer server may send further types: leave out those that you do not know.',
    ])}export type Event = { [Type in EventType]: EventOf<Type> }[EventType]\n`,
  ].join('\n')
}

function snapshotIn(parts: readonly Schema[]): Schema {
  const [snapshot] = parts.flatMap(({ properties }) => properties?.snapshot ?? [])
  if (snapshot === undefined) throw new Error(`No snapshot in ${parts.map(({ $ref = '' }) => nameIn($ref)).join(', ')}`)
  return snapshot
}
