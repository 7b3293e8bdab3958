import { useLayoutEffect, useRef } from 'preact/hooks'
import { Avatar } from '../../parts/avatar.tsx'
import { dayOf, dayText } from '../../parts/format.ts'
import { Menu } from '../../parts/menu.tsx'
import { taskHref } from '../../router/router.ts'
import { whyNotWorkIn } from '../../session/may.ts'
import { words } from '../../words.ts'
import { cardActions } from './card-actions.ts'
import type { Desk } from './desk.ts'
import { running } from './running.ts'
import type { Card, NamedOption } from './state.ts'

interface TaskCardProps {
  card: Card
  desk: Desk
  named: ReadonlyMap<string, NamedOption>
  isDone: boolean
  /** whether Tab reaches it */
  isStop: boolean
}

/** A task on the board. Its link covers the whole card; other actions are in its menu. */
export function TaskCard({ card, desk, named, isDone, isStop }: TaskCardProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const isUnderWay = desk.underWay.value.has(card.id)
  const now = desk.moving.value
  const isLifted = now.is === 'lifted' && now.taskId === card.id
  const isWanted = desk.wanted.value === card.id
  useLayoutEffect(() => {
    if (!isWanted) return
    desk.wanted.value = undefined
    link.current?.focus({ preventScroll: true })
  }, [isWanted])
  return (
    <article
      class={`board-card card ${isLifted ? 'lifted' : ''} ${isUnderWay ? 'under-way' : ''}`}
      aria-busy={isUnderWay}
      data-card={card.id}
    >
      <p class="board-card-top">
        <CardHints card={card} named={named} />
        {isUnderWay && <span class="board-moving">{words.board.moving}</span>}
        <Running taskId={card.id} named={named} />
      </p>
      <a
        ref={link}
        class="board-open"
        href={taskHref(card.key)}
        draggable={false}
        tabIndex={isStop ? 0 : -1}
        aria-describedby={whyNotWorkIn(card.projectId) === undefined ? 'board-keys' : 'board-keys-to-see'}
        onFocus={() => {
          desk.current.value = card.id
        }}
      >
        <span class="visually-hidden">{card.key} </span>
        <span class="board-name" dir="auto" title={card.name}>
          {card.name}
        </span>
      </a>
      <CardFoot card={card} named={named} isDone={isDone} />
      <Menu
        label={words.board.actions(card.key)}
        class="icon board-card-menu"
        tabIndex={isStop ? 0 : -1}
        items={() => cardActions(desk, card)}
      >
        <span aria-hidden="true">⋯</span>
      </Menu>
    </article>
  )
}

/** The parts of a card that are also drawn while it is dragged. */
export function CardHints({ card: { key, priority, typeId }, named }: Pick<TaskCardProps, 'card' | 'named'>) {
  const type = named.get(typeId ?? '')?.name
  return (
    <>
      <span class="board-key" aria-hidden="true">
        {key}
      </span>
      {priority !== 'none' && <span class={`board-priority ${priority}`}>{words.board.priorities[priority]}</span>}
      {type && (
        <span class="board-type" dir="auto">
          {type}
        </span>
      )}
    </>
  )
}

// a date leaves room for one
const mostTags = ({ dueDate }: Card) => (dueDate === null ? 2 : 1)
const mostAvatars = 3

export function CardFoot({ card, named, isDone }: Pick<TaskCardProps, 'card' | 'named' | 'isDone'>) {
  const tags = card.tagIds.flatMap((id) => named.get(id) ?? [])
  const shownTags = tags.slice(0, mostTags(card))
  const assignees = card.assigneeIds.map((id) => ({ id, name: named.get(id)?.name ?? words.board.somebody }))
  const beyond = assignees.slice(mostAvatars)
  return (
    <div class="board-card-foot">
      {card.dueDate && <Due day={card.dueDate} isDone={isDone} />}
      <span class="board-tags">
        {shownTags.map(({ name, color }) => (
          <span key={name} class="chip" dir="auto" title={name}>
            <i style={{ background: color ?? 'var(--edge)' }} />
            <span>{name}</span>
          </span>
        ))}
        {tags.length > shownTags.length && <More of={tags.slice(shownTags.length).map(({ name }) => name)} />}
      </span>
      <span class="board-assignees">
        {assignees.slice(0, mostAvatars).map(({ id, name }) => (
          <Avatar key={id} id={id} name={name} />
        ))}
        {beyond.length > 0 && <More of={beyond.map(({ name }) => name)} />}
      </span>
    </div>
  )
}

const More = ({ of }: { of: readonly string[] }) => (
  <span class="board-more quiet" title={of.join(', ')}>
    +{of.length}
    <span class="visually-hidden"> ({of.join(', ')})</span>
  </span>
)

function Due({ day, isDone }: { day: string; isDone: boolean }) {
  const isOverdue = !isDone && day < dayOf(new Date())
  return (
    <span class={`board-due ${isOverdue ? 'overdue' : ''}`}>
      <span class={isOverdue ? '' : 'visually-hidden'}>{isOverdue ? words.board.overdue : words.board.due} </span>
      <time dateTime={day}>{dayText(day)}</time>
    </span>
  )
}

function Running({ taskId, named }: { taskId: string; named: ReadonlyMap<string, NamedOption> }) {
  const by = running.value.get(taskId)
  if (!by) return null
  const names = by.map(({ memberId }) => named.get(memberId)?.name ?? words.board.somebody)
  return (
    <span class="board-running" title={words.board.running(names)}>
      <span class="visually-hidden">{words.board.running(names)}</span>
      <span aria-hidden="true" dir="auto">
        {names[0]}
      </span>
    </span>
  )
}
