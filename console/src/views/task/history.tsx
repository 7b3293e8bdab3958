import { useSignal } from '@preact/signals'
import { useLoaded } from '../../live/loaded.ts'
import { Failure } from '../../parts/failure.tsx'
import { momentText } from '../../parts/format.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Desk } from './desk.ts'
import { sentencesOf, useTold } from './history-sentences.ts'

const step = 20

/** The history of a task, newest first, read when the user opens it. */
export function History({ desk }: { desk: Desk }) {
  const isOpen = useSignal(false)
  return (
    <section class="task-section" aria-label={words.task.history}>
      <header>
        <h3>
          <button
            type="button"
            class="plain disclose"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            {words.task.history}
          </button>
        </h3>
      </header>
      {isOpen.value && <Past desk={desk} />}
    </section>
  )
}

function Past({ desk: { task } }: { desk: Desk }) {
  const wanted = useSignal(step)
  const { value, error, reload } = useLoaded(
    `${task.id} ${wanted.value}`,
    async (signal) => await tw().tasks.history.list(task.id, { include: ['member'], limit: wanted.value }, { signal }),
    ({ resource }) => (resource.id === task.id ? 'again' : undefined),
  )
  const nameOf = useTold(value.value?.data ?? [], task)
  if (error.value !== undefined) return <Failure error={error.value} onRetry={reload} />
  if (value.value === undefined) return <p class="quiet small">{words.frame.loading}</p>
  const { data, total } = value.value
  return (
    <>
      <ol class="history">
        {data.map((event) => (
          <li key={event.id}>
            <p dir="auto">
              <strong>{event.member?.name ?? words.task.server}</strong> {sentencesOf(event, nameOf).join('; ')}
            </p>
            <time class="quiet small" dateTime={event.createdAt}>
              {momentText(event.createdAt)}
            </time>
          </li>
        ))}
      </ol>
      {data.length === 0 && <p class="quiet small">{words.task.noHistory}</p>}
      {total > data.length && data.length < 100 && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            wanted.value = Math.min(100, wanted.value + 2 * step)
          }}
        >
          {words.task.moreHistory}
        </button>
      )}
    </>
  )
}
