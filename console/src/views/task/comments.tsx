import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useLoaded } from '../../live/loaded.ts'
import { Loading } from '../../parts/loading.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { CommentRow } from './comment-row.tsx'
import type { Desk } from './desk.ts'
import { Editor } from './editor.tsx'
import { usePanelCommands } from './panel-commands.ts'
import { reactAmong } from './reactions.ts'
import type { OpenComment } from './reading.ts'
import { useWriting } from './writing.ts'

/** The comments of a task, oldest first, and a field for a new one. */
export function Comments({ desk }: { desk: Desk }) {
  const { whyNot } = desk
  const { id, comments, moreComments } = desk.task
  const composer = useRef<HTMLDivElement>(null)
  const focus = () => composer.current?.querySelector('textarea')?.focus()
  const section = usePanelCommands<HTMLElement>(words.task.comments, [
    { label: words.task.writeComment, keys: 'c', whyNot: () => whyNot, run: focus },
  ])
  return (
    <section ref={section} class="task-section" aria-label={words.task.comments}>
      <header>
        <h3>{words.task.comments}</h3>
      </header>
      {moreComments && <Earlier desk={desk} onFocus={focus} />}
      <ul class="comments">
        {comments
          .toSorted((one, other) => (one.id < other.id ? -1 : 1))
          .map((comment) => (
            <CommentRow key={comment.id} {...{ desk, comment, onGone: focus }} />
          ))}
      </ul>
      <div ref={composer}>{whyNot === undefined && <Composer desk={desk} taskId={id} />}</div>
    </section>
  )
}

function Composer({ desk, taskId }: { desk: Desk; taskId: string }) {
  const { typed, isBusy, sentence, send } = useWriting(`task.${taskId}.comment`)
  const text = typed.now.value?.text ?? ''
  const post = async () => {
    const outcome = await send((body, once) => tw().comments.create(taskId, { body }, once))
    if (outcome?.done) desk.loaded.reload()
  }
  return (
    <>
      <Editor
        {...{ label: words.task.newComment, placeholder: words.task.newComment, text, isBusy: isBusy.value }}
        {...{ isChanged: text !== '', isFocused: false, isOpenEnded: true, most: 20_000 }}
        submit={sentence.value === '' ? words.task.comment : words.notices.again}
        onType={(next) => typed.type(next)}
        onSave={() => void post()}
        onLeave={() => {
          typed.clear()
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        }}
      />
      <p class="failure small" role="alert">
        {sentence.value}
      </p>
    </>
  )
}

/** Comments before the last fifty, read on request. */
function Earlier({ desk, onFocus }: { desk: Desk; onFocus: () => void }) {
  const isWanted = useSignal(false)
  if (isWanted.value) return <EarlierComments desk={desk} onFocus={onFocus} />
  const want = () => {
    isWanted.value = true
  }
  return (
    <p>
      <button type="button" class="plain" onClick={want}>
        {words.task.earlier}
      </button>
    </p>
  )
}

function EarlierComments({ desk, onFocus }: { desk: Desk; onFocus: () => void }) {
  const { task } = desk
  const loaded = useLoaded(task.id, (signal) => readComments(task.id, signal), reactAmong)
  const isLater = new Set(task.comments.map(({ id }) => id))
  return (
    <Loading of={loaded}>
      {(all) => (
        <ul class="comments">
          {all
            .filter(({ id }) => !isLater.has(id))
            .map((comment) => (
              <CommentRow key={comment.id} {...{ desk, comment, onGone: onFocus }} />
            ))}
        </ul>
      )}
    </Loading>
  )
}

async function readComments(taskId: string, signal: AbortSignal): Promise<readonly OpenComment[]> {
  const all: OpenComment[] = []
  for await (const comment of tw().tasks.comments.list(taskId, { limit: 100, include: ['author'] }, { signal }))
    if (comment.author) all.push({ ...comment, author: comment.author })
  return all.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
