import { useSignal } from '@preact/signals'
import type { Subtask } from '@taskwright/client'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { act } from '../../act/act.ts'
import { runningTimer, startTimer, stopTimer } from '../../live/timer.ts'
import { isNewer } from '../../live/versions.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { findMembers } from '../../parts/options.ts'
import { mayAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { deleteRow } from './deleting.ts'
import type { Desk } from './desk.ts'
import { Picked } from './picked.tsx'
import type { OpenSubtask } from './reading.ts'
import { useSaving } from './saving.ts'
import { useTextEdit } from './text-edit.tsx'

interface SubtaskRowProps {
  desk: Desk
  subtask: OpenSubtask
  place: number
  otherwise: RefObject<HTMLElement | null>
}

/** A subtask: its checkbox, name, assignee and actions. */
export function SubtaskRow({ desk, subtask, place, otherwise }: SubtaskRowProps) {
  const row = useRef<HTMLLIElement>(null)
  const isChoosing = useSignal(false)
  const isAsking = useSignal(false)
  const { id, name, version, finalizedAt, assigneeId } = subtask
  const { subtasks, subtaskAssignees } = desk.task
  const mayChange = desk.whyNot === undefined
  const edited = <V,>(write: (value: V, ifMatch: string) => PromiseLike<Subtask>, valueIn: (item: Subtask) => V) => ({
    id,
    read: () => tw().subtasks.get(id),
    write,
    valueIn,
    take: (item: Subtask) => takeSubtask(desk, item),
  })
  const naming = useSaving(
    edited<string>(
      (name, ifMatch) => tw().subtasks.update(id, { name }, { ifMatch }),
      (item) => item.name,
    ),
  )
  const assigning = useSaving(
    edited<string | null>(
      (assigneeId, ifMatch) => tw().subtasks.update(id, { assigneeId }, { ifMatch }),
      (item) => item.assigneeId,
    ),
  )
  const { editor, opener, open } = useTextEdit({
    ...{ what: `subtask.${id}.name`, base: { version, value: name }, saving: naming },
    ...{ label: words.task.subtaskName, isLine: true, most: 255 },
  })
  const assignee = subtaskAssignees.find((member) => member.id === assigneeId)
  const isRunning = runningTimer.value?.subtaskId === id
  const written = async (write: () => PromiseLike<Subtask>) => {
    const outcome = await act(write)
    if (outcome.done) takeSubtask(desk, outcome.value)
  }
  const move = (beside: OpenSubtask | undefined, side: 'beforeId' | 'afterId') =>
    beside &&
    written(() => tw().subtasks.move(id, side === 'beforeId' ? { beforeId: beside.id } : { afterId: beside.id }))
  const isDone = finalizedAt !== null
  const deleting = { said: words.task.subtaskDeleted(name), write: () => tw().subtasks.delete(id) }
  const remove = () => {
    if (!mayAdminister()) isAsking.value = true
    else
      void deleteRow({
        ...{ ...deleting, row: row.current, otherwise: otherwise.current },
        restore: () => tw().subtasks.restore(id),
      })
  }
  return (
    <li ref={row} class={isDone ? 'subtask done' : 'subtask'}>
      <input
        type="checkbox"
        checked={isDone}
        disabled={!mayChange}
        aria-label={words.task.doneNamed(name)}
        onClick={(event) => {
          // show the state on the server until it responds
          event.preventDefault()
          void written(() => (isDone ? tw().subtasks.reopen(id) : tw().subtasks.finalize(id)))
        }}
      />
      {!mayChange && (
        <span class="subtask-name" dir="auto">
          {name}
        </span>
      )}
      {mayChange &&
        (editor || (
          <button ref={opener} type="button" class="plain subtask-name" dir="auto" disabled={isDone} onClick={open}>
            {name}
          </button>
        ))}
      {isRunning && <span class="chip">{words.task.running}</span>}
      {assignee && !isChoosing.value && <Avatar id={assignee.id} name={assignee.name} />}
      {isChoosing.value && (
        <dl class="facts">
          <Picked<string | null>
            {...{ desk, label: words.task.assignee, saving: assigning, find: findMembers, isSingle: true }}
            options={assignee ? [{ id: assignee.id, label: assignee.name }] : []}
            none={words.task.nobody}
            valueIn={([chosen]) => chosen?.id ?? null}
            idsOf={(id) => (id === null ? [] : [id])}
            base={() => ({ version, value: assigneeId })}
          />
        </dl>
      )}
      {mayChange && (
        <Menu
          label={words.task.moreOf(name)}
          class="icon"
          items={[
            { label: words.task.rename, isDisabled: isDone, run: open },
            {
              label: words.task.assign,
              isDisabled: isDone,
              run: () => {
                isChoosing.value = !isChoosing.value
              },
            },
            isRunning
              ? { label: words.task.stopTimer, run: () => void stopTimer() }
              : { label: words.timer.start, isDisabled: isDone, run: () => void startTimer({ subtaskId: id }) },
            {
              label: words.task.up,
              isDisabled: isDone || place === 0,
              run: () => void move(subtasks[place - 1], 'beforeId'),
            },
            {
              label: words.task.down,
              isDisabled: isDone || place === subtasks.length - 1,
              run: () => void move(subtasks[place + 1], 'afterId'),
            },
            {
              label: words.task.delete,
              isDangerous: true,
              isDisabled: isDone,
              run: remove,
            },
          ]}
        >
          ⋯
        </Menu>
      )}
      {isAsking.value && (
        <Confirm
          {...{ ...deleting, title: words.task.deleteSubtask(name), submit: words.task.delete, isDangerous: true }}
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

/** Applies the response to a write of a subtask. */
function takeSubtask({ loaded }: Desk, item: Subtask): void {
  const now = loaded.value.peek()
  const before = now?.subtasks.find(({ id }) => id === item.id)
  if (now === undefined || before === undefined || !isNewer(item, before)) return
  // the name of a new assignee must be read
  if (item.assigneeId !== before.assigneeId) loaded.reload()
  else
    loaded.change((now) => ({
      ...now,
      subtasks: now.subtasks
        .map((each) => (each.id === item.id ? { ...each, ...item } : each))
        .toSorted((one, other) => one.position - other.position),
    }))
}
