import { useSignal } from '@preact/signals'
import type { Comment } from '@taskwright/client'
import { useRef } from 'preact/hooks'
import { isNewer } from '../../live/versions.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { momentText } from '../../parts/format.ts'
import { mayAdminister, whyNotLead } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { deleteRow } from './deleting.ts'
import type { Desk } from './desk.ts'
import { Markdown } from './markdown/markdown.tsx'
import type { OpenComment } from './reading.ts'
import { useSaving } from './saving.ts'
import { useTextEdit } from './text-edit.tsx'

interface CommentRowProps {
  desk: Desk
  comment: OpenComment
  /** called when the last comment was deleted */
  onGone: () => void
}

/** A comment. Its author can edit it; its author and leads can delete it. */
export function CommentRow({ desk, comment, onGone }: CommentRowProps) {
  const row = useRef<HTMLLIElement>(null)
  const isAsking = useSignal(false)
  const { id, body, version, author, createdAt, updatedAt } = comment
  const saving = useSaving<Comment, string>({
    id,
    read: () => tw().comments.get(id),
    write: (body, ifMatch) => tw().comments.update(id, { body }, { ifMatch }),
    valueIn: (item) => item.body,
    take: (item) => takeComment(desk, item),
  })
  const { editor, opener, open } = useTextEdit({
    ...{ what: `comment.${id}`, base: { version, value: body }, saving, label: words.task.editComment, most: 20_000 },
  })
  const mayChange = desk.whyNot === undefined
  const isMine = author.id === me().member.id
  const mayDelete = mayChange && (isMine || whyNotLead(desk.task.projectId) === undefined)
  const write = () => tw().comments.delete(id)
  const remove = () => {
    if (!mayAdminister()) {
      isAsking.value = true
      return
    }
    void deleteRow({
      ...{ row: row.current, otherwise: null, said: words.task.commentDeleted, write },
      restore: () => tw().comments.restore(id),
    }).then(() => {
      if (document.activeElement === document.body) onGone()
    })
  }
  return (
    <li ref={row} class="comment">
      <Avatar id={author.id} name={author.name} />
      <div class="said">
        <p class="small">
          <strong dir="auto">{author.name}</strong>{' '}
          <time class="quiet" dateTime={createdAt}>
            {momentText(createdAt)}
          </time>
          {updatedAt !== createdAt && <span class="quiet"> {words.task.edited}</span>}
        </p>
        {editor || <Markdown text={body} />}
        {!editor && (
          <div class="buttons">
            {isMine && mayChange && (
              <button ref={opener} type="button" class="plain small" onClick={open}>
                {words.task.edit}
              </button>
            )}
            {mayDelete && (
              <button type="button" class="plain small" onClick={remove}>
                {words.task.delete}
              </button>
            )}
          </div>
        )}
      </div>
      {isAsking.value && (
        <Confirm
          {...{ title: words.task.deleteComment, submit: words.task.delete, isDangerous: true, write }}
          said={words.task.commentDeleted}
          onClose={() => {
            isAsking.value = false
          }}
        >
          <p>{words.task.forGood}</p>
        </Confirm>
      )}
    </li>
  )
}

function takeComment({ loaded }: Desk, item: Comment): void {
  loaded.change((now) => ({
    ...now,
    comments: now.comments.map((each) => (each.id === item.id && isNewer(item, each) ? { ...each, ...item } : each)),
  }))
}
