import { answerView } from './answer.js'
import { element, prose } from './element.js'
import { exampleView } from './examples.js'
import { copyText } from './frame.js'
import { bodyField, inputFor, parameterRow } from './inputs.js'
import { nameOf, schemaOf } from './openapi.js'
import { curlOf, parse, requestOf, send } from './request.js'
import { root } from './root.js'
import { fieldList } from './schema.js'
import { idNamed, knownIds, remember } from './session.js'

/** One operation to read and to try. `submit` sends it; `refresh` fills what nobody touched with the ids seen since. */
export function operationView(operation, resolve, example) {
  const { method, path, summary, description, security, 'x-access': access } = operation
  const fields = new Map(
    neededFirst(operation.parameters).map((parameter) => [parameter, inputFor(parameter, operation)]),
  )
  const body = operation.body && bodyField(operation.body, resolve)
  const curl = element('pre', { class: 'curl', tabindex: '0', 'aria-label': 'As curl' })
  const shownCurl = element('details', { class: 'shown' }, element('summary', {}, 'The curl command'), curl)
  const copy = element('button', { type: 'button', onclick: () => copyText(curl, copy) }, 'Copy as curl')
  const sendButton = element('button', { type: 'submit', class: 'primary', title: 'Ctrl+Enter' }, 'Send')
  const answer = element('section', { class: 'answer', 'aria-label': 'Response' })

  const request = () => requestOf(operation, (parameter) => fields.get(parameter).value.trim(), body?.text() ?? '')
  const preview = () => curl.replaceChildren(curlOf(request()))
  const field = (name) => [...fields].find(([parameter]) => parameter.name === name)?.[1]

  const turnPage = (fillIn) =>
    fillIn &&
    (() => {
      fillIn()
      preview()
      void submit()
    })

  // the button is not disabled meanwhile: the keyboard would lose its place
  async function submit(event) {
    event?.preventDefault()
    if (answer.ariaBusy) return
    answer.ariaBusy = 'true'
    try {
      const sent = request()
      const reply = await send(sent)
      const parsed = parse(reply.text)
      if (reply.status < 300) remember(path, parsed)
      show(...answerView(reply, parsed, turnPage(nextPage(parsed, sent, field))))
    } catch (error) {
      const said = `The server did not respond: ${error.message}`
      show(element('p', { class: 'problem', role: 'alert', tabindex: '-1' }, said))
    } finally {
      answer.ariaBusy = null
      answer.scrollIntoView({ block: 'nearest' })
    }
  }

  // what had the focus there is gone: the keyboard goes on at what turns the next page, or at what came
  function show(...parts) {
    const focused = answer.contains(document.activeElement)
    answer.replaceChildren(...parts)
    if (focused) (answer.querySelector('.next') ?? answer.firstElementChild).focus()
  }

  const view = element(
    'article',
    { class: 'operation' },
    element(
      'header',
      {},
      element('h1', { tabindex: '-1' }, summary),
      element(
        'p',
        { class: 'line' },
        element('span', { class: `method ${method}` }, method),
        element('code', {}, path),
        element(
          'code',
          { class: 'called', title: 'The name in clients and on the command line' },
          operation.operationId,
        ),
      ),
      description && prose(description),
      prose(access.description, { class: 'access' }, element('strong', {}, 'Access')),
      // only the operator's operations name what they take
      security && element('p', { class: 'note' }, 'Enter the operator token (OPERATOR_TOKEN) instead of an API key.'),
    ),
    element(
      'form',
      {
        class: 'request',
        novalidate: true,
        autocomplete: 'off',
        onsubmit: submit,
        oninput: preview,
      },
      fields.size > 0 && [
        element('h2', {}, 'Parameters'),
        element(
          'ul',
          { class: 'fields' },
          [...fields].map(([parameter, input]) => parameterRow(parameter, input, preview)),
        ),
      ],
      body?.rows,
      element('p', { class: 'actions' }, sendButton, copy),
      shownCurl,
      answer,
    ),
    element(
      'section',
      { class: 'reading' },
      example && exampleView(example),
      body && [element('h2', {}, 'Body fields'), fieldsOrNothing(operation.body, resolve)],
      element('h2', {}, 'Responses'),
      operation.answers.map((answer) => responseView(answer, resolve)),
      element(
        'p',
        { class: 'quiet more' },
        'For each ',
        element('code', {}, 'X-Error-Code'),
        ', its meaning and what to do, see ',
        element('a', { href: `${root}/docs/guides/errors` }, 'Errors'),
        '.',
      ),
    ),
  )

  return {
    view,
    submit,
    refresh() {
      for (const [{ name, in: place }, input] of fields) {
        // what is deleted is named by hand
        if (place === 'path' && input.value === '' && method !== 'DELETE') {
          input.value = knownIds(idNamed(name, path))[0]?.[0] ?? ''
        }
      }
      body?.refresh()
      preview()
    },
  }
}

const neededFirst = (parameters) => [
  ...parameters.filter(({ required }) => required),
  ...parameters.filter(({ required }) => !required),
]

const fieldsOrNothing = (schema, resolve) => {
  const list = fieldList(schema, resolve, true)
  return list.children.length > 0 ? list : element('p', { class: 'quiet' }, 'It has no fields.')
}

/** A status that may come back, with its headers and fields. */
export function responseView({ status, description, headers = {}, ...answer }, resolve) {
  const schema = schemaOf(answer)
  const names = Object.keys(headers)
  const page = schema?.properties?.data?.items
  const head = [element('strong', { class: `s${status[0]}` }, status), element('span', {}, description)]
  if (schema === undefined && names.length === 0) return element('p', { class: 'response' }, head)
  return element(
    'details',
    { class: 'response' },
    element(
      'summary',
      {},
      head,
      schema && element('span', { class: 'type' }, page ? `page of ${nameOf(page)}` : nameOf(schema)),
    ),
    names.length > 0 && element('p', {}, 'Headers: ', element('code', {}, names.join(', '))),
    schema && fieldList(schema, resolve, false),
  )
}

/** Fills in where the next page begins; undefined when there is none. */
function nextPage(body, { url }, field) {
  const cursor = body?.pagination?.nextCursor
  if (cursor) return () => (field('cursor').value = cursor)
  if (!Array.isArray(body?.data) || !field('offset')) return undefined
  const offset = Number(new URLSearchParams(url.split('?')[1]).get('offset')) + body.data.length
  return body.data.length > 0 && offset < body.total ? () => (field('offset').value = offset) : undefined
}
