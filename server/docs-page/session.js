// in the memory of this page alone: nothing here is ever stored, and a reload forgets it
let key = ''
const seen = new Map()

export const useKey = (given) => {
  key = given
}

export const authorization = () => (key === '' ? {} : { authorization: `Bearer ${key}` })

/** Keeps the ids that an answer shows, so that the next operation can offer them. */
export function remember(path, body) {
  const noun = path.split('/').findLast((part) => !part.startsWith('{'))
  for (const item of [...(Array.isArray(body?.data) ? body.data : [body])].reverse()) {
    if (typeof item?.id !== 'string') continue
    const known = seen.get(idName(noun)) ?? new Map()
    // the latest last
    known.delete(item.id)
    seen.set(idName(noun), known.set(item.id, item.key ?? item.name ?? item.id))
  }
}

/** The ids seen for a parameter or field, `[id, name]`, the latest first. */
export function knownIds(name) {
  const kinds = [...seen.keys()]
  const kind = kinds.find((it) => it === name) ?? kinds.find((it) => it.endsWith(capitalized(name)))
  return kind === undefined ? [] : [...seen.get(kind)].reverse()
}

/** `taskId` for {id} of `/tasks/{id}/move`; any other name says itself what it identifies. */
export const idNamed = (name, path) => (name === 'id' ? idName(path.split('/{id}')[0].split('/').at(-1)) : name)

/** `timeEntryId` for `time-entries`. */
const idName = (noun) =>
  `${noun
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Id`
const capitalized = (word) => word.charAt(0).toUpperCase() + word.slice(1)
