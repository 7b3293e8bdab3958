import { element } from './element.js'
import { isList, isWords, parse } from './request.js'
import { marks, sampleBody } from './schema.js'
import { idNamed, knownIds } from './session.js'

/** Where the value of a parameter is typed or chosen. */
export function inputFor({ name, in: place, schema, required }, { operationId, path }) {
  const id = `${operationId}-${name}`
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined)
  if (choices) {
    return element(
      'select',
      { id, name },
      ['', ...choices].map((choice) => element('option', {}, String(choice))),
    )
  }
  const shared = { id, name, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', required }
  const placeholder = isList({ schema }) || isWords({ schema }) ? 'one or more, separated by commas' : undefined
  const input = element('input', { ...shared, placeholder, list: place === 'header' ? undefined : `${id}-seen` })
  if (name === 'Idempotency-Key') input.value = newKey()
  const offer = () =>
    input.list?.replaceChildren(
      ...knownIds(idNamed(name, path)).map(([value, label]) => element('option', { value, label })),
    )
  input.addEventListener('focus', offer)
  return input
}

/** A parameter to read and to fill in. */
export function parameterRow({ name, in: place, schema, description, required }, input, changed) {
  const renew = () => {
    input.value = newKey()
    changed()
  }
  return element(
    'li',
    {},
    element('label', { for: input.id, class: 'field' }, name),
    ' ',
    element('span', { class: 'place' }, place),
    marks({ description, ...schema }, required),
    element(
      'span',
      { class: 'entry' },
      input,
      input.hasAttribute('list') && element('datalist', { id: `${input.id}-seen` }),
      name === 'Idempotency-Key' && element('button', { type: 'button', onclick: renew }, 'New key'),
    ),
  )
}

/** A fresh key; of getRandomValues, as randomUUID is missing where the page is served without TLS. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The body as JSON text. `refresh` writes it anew as long as nobody has touched it. */
export function bodyField(schema, resolve) {
  let touched = false
  const empty = Object.keys(resolve(schema).properties ?? {}).length === 0
  const area = element('textarea', { 'aria-label': 'Body', spellcheck: 'false', autocapitalize: 'off' })
  const problem = element('p', { class: 'problem', role: 'status' })
  const check = () =>
    problem.replaceChildren(area.value.trim() === '' || parse(area.value) !== undefined ? '' : 'This is not JSON yet.')
  const fill = (all) => {
    area.value = empty ? '' : JSON.stringify(sampleBody(schema, resolve, all), null, 2)
    area.rows = Math.min(Math.max(area.value.split('\n').length + 1, 3), 22)
    check()
  }
  const refill = (all) => {
    fill(all)
    area.dispatchEvent(new Event('input', { bubbles: true }))
    touched = all
  }
  area.addEventListener('input', () => {
    touched = true
    check()
  })
  const offer = (all, name) => element('button', { type: 'button', onclick: () => refill(all) }, name)
  const none = element('p', { class: 'quiet' }, 'This operation takes no body.')
  return {
    rows: [
      element(
        'div',
        { class: 'titled' },
        element('h2', {}, 'Body'),
        !empty && [offer(false, 'Required fields'), offer(true, 'All fields')],
      ),
      ...(empty ? [none] : [area, problem]),
    ],
    text: () => area.value.trim(),
    refresh: () => touched || fill(false),
  }
}
