import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { failureSentence } from '../../act/failures.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { CommentRow } from './comment-row.tsx'
import type { Desk } from './desk.ts'
import { Editor } from './editor.tsx'
import { usePanelCommands } from './panel-commands.ts'
import type { OpenComment } from './reading.ts'
import { useWriting } from './writing.ts'

/** What was said about a task, oldest first, and a place to say more. */
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

/** What was said before the last fifty. */
function Earlier({ desk, onFocus }: { desk: Desk; onFocus: () => void }) {
  const found = useSignal<readonly OpenComment[]>([])
  const trouble = useSignal('')
  const isBusy = useSignal(false)
  const isRead = useSignal(false)
  const read = async () => {
    if (isBusy.value) return
    isBusy.value = true
    try {
      const all: OpenComment[] = []
      for await (const comment of tw().tasks.comments.list(desk.task.id, { limit: 100, include: ['author'] }))
        if (comment.author) all.push({ ...comment, author: comment.author })
      const shown = new Set(desk.task.comments.map(({ id }) => id))
      found.value = all.filter(({ id }) => !shown.has(id)).toSorted((one, other) => (one.id < other.id ? -1 : 1))
      isRead.value = true
    } catch (error) {
      trouble.value = failureSentence(error)
    }
    isBusy.value = false
  }
  if (isRead.value)
    return (
      <ul class="comments">
        {found.value.map((comment) => (
          <CommentRow key={comment.id} {...{ desk, comment, onGone: onFocus }} />
        ))}
      </ul>
    )
  return (
    <p>
      <button type="button" class="plain" aria-busy={isBusy.value} onClick={() => void read()}>
        {words.task.earlier}
      </button>
      <span class="failure small" role="alert">
        {trouble.value}
      </span>
    </p>
  )
}
