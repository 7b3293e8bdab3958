import { element, prose } from './element.js'
import { responseView } from './operation.js'
import { fieldList, marks } from './schema.js'

/** What webhooks are sent: the headers, the event, what the answer means, and each type of event with its snapshot. */
export function eventTypesView(eventTypes, resolve) {
  const [{ parameters, answers, event }] = eventTypes
  const view = element(
    'article',
    { class: 'operation' },
    element(
      'header',
      {},
      element('h1', { tabindex: '-1' }, eventTypesTitle),
      prose(
        'The server sends a webhook a POST for each event that it subscribes to. The body is the event, as in `GET /events` and ' +
          'in its stream. Store the `webhook-id`: if an event arrives again, it has the same one.',
      ),
    ),
    element(
      'section',
      { class: 'sent' },
      element('h2', {}, 'Event types'),
      eventTypes.map(({ type, description, snapshot }) =>
        element(
          'details',
          { class: 'event-type' },
          element('summary', {}, element('code', { class: 'field' }, type)),
          prose(description),
          element('h3', {}, 'Snapshot'),
          fieldList(snapshot, resolve, false),
        ),
      ),
    ),
    element(
      'section',
      { class: 'reading' },
      element('h2', {}, 'Headers'),
      element(
        'ul',
        { class: 'fields' },
        parameters.map(({ name, schema, description, required }) =>
          element('li', {}, element('code', { class: 'field' }, name), marks({ description, ...schema }, required)),
        ),
      ),
      element('h2', {}, 'What your response means'),
      answers.map((answer) => responseView(answer, resolve)),
      element('h2', {}, 'Event fields'),
      fieldList(event, resolve, false),
    ),
  )
  return { view, submit() {}, refresh() {} }
}

export const eventTypesTitle = 'Webhook events'
