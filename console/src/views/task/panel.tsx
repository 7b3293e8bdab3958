import { useSignal } from '@preact/signals'
import { act } from '../../act/act.ts'
import { tell } from '../../act/notices.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { copyText } from '../../parts/copying.ts'
import { momentText } from '../../parts/format.ts'
import { Menu } from '../../parts/menu.tsx'
import { taskHref } from '../../router/router.ts'
import { mayAdminister } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { Comments } from './comments.tsx'
import { Description } from './description.tsx'
import { baseOf, type Desk, useField } from './desk.ts'
import { Facts } from './facts.tsx'
import { History } from './history.tsx'
import { Name } from './name.tsx'
import { usePanelCommands } from './panel-commands.ts'
import { Subtasks } from './subtasks.tsx'
import { Time } from './time.tsx'

/** The panel of a task. */
export function Panel({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const { task, whyNot } = desk
  const isAsking = useSignal(false)
  const assigning = useField(desk, 'assigneeIds')
  const { id: mine } = me().member
  const isMine = task.assigneeIds.includes(mine)
  const assign = async () => {
    const ids = isMine ? task.assigneeIds.filter((id) => id !== mine) : [...task.assigneeIds, mine].toSorted()
    if (!(await assigning.save(ids, baseOf(desk, 'assigneeIds'))))
      tell(assigning.state.value.sentence ?? words.task.meanwhile, { isFailure: true })
  }
  const copyLink = () => void copyText(location.origin + taskHref(task.key), words.task.linkCopied)
  const write = () => tw().tasks.delete(task.id)
  const said = words.task.deleted(task.key)
  const remove = async () => {
    if (!mayAdminister()) {
      isAsking.value = true
      return
    }
    const outcome = await act(write, { said, undo: () => tw().tasks.restore(task.id) })
    if (outcome.done) onClose()
  }
  const assigningMe = { label: isMine ? words.task.unassignMe : words.task.assignMe, run: () => void assign() }
  const top = usePanelCommands<HTMLDivElement>(words.task.title, [
    { ...assigningMe, keys: 'a', whyNot: () => whyNot },
    { label: words.task.copyLink, keys: 'l', run: copyLink },
  ])
  return (
    <article class="task-panel">
      <div ref={top} class="task-top">
        <a href={taskHref(task.key)}>{task.key}</a>
        <span class="project quiet" dir="auto">
          {task.project?.name}
        </span>
        <Menu
          label={words.task.actions}
          class="icon"
          items={[
            ...(whyNot === undefined ? [assigningMe] : []),
            { label: words.task.copyLink, run: copyLink },
            { label: words.task.copyKey, run: () => void copyText(task.key, words.task.keyCopied) },
            ...(whyNot === undefined
              ? [{ label: words.task.delete, isDangerous: true, run: () => void remove() }]
              : []),
          ]}
        >
          ⋯
        </Menu>
        <button type="button" class="icon" aria-label={words.dialog.close} onClick={onClose}>
          ×
        </button>
      </div>
      {task.isDeleted ? <Deleted desk={desk} /> : whyNot && <p class="quiet small">{whyNot}</p>}
      <Name desk={desk} />
      <Facts desk={desk} />
      <Description desk={desk} />
      <Subtasks desk={desk} />
      <Time desk={desk} />
      <Comments desk={desk} />
      <History desk={desk} />
      <p class="quiet small" dir="auto">
        {words.task.made(task.creator?.name ?? words.task.gone, momentText(task.createdAt))}
      </p>
      {isAsking.value && (
        <Confirm
          {...{ title: words.task.deleteTask(task.key), submit: words.task.delete, isDangerous: true, write, said }}
          onClose={() => {
            isAsking.value = false
          }}
          onDone={onClose}
        >
          <p>{words.task.forGood}</p>
        </Confirm>
      )}
    </article>
  )
}

/** Shows that the task is deleted, and lets members restore it if they can. */
function Deleted({ desk: { task, loaded } }: { desk: Desk }) {
  const isBusy = useSignal(false)
  const restore = async () => {
    isBusy.value = true
    const outcome = await act((once) => tw().tasks.restore(task.id, once), { said: words.task.restored(task.key) })
    isBusy.value = false
    if (outcome.done) loaded.reload()
  }
  return (
    <div class="task-gone" role="alert">
      <p>{words.task.isDeleted}</p>
      {mayAdminister() && (
        <button type="button" aria-disabled={isBusy.value} onClick={() => !isBusy.value && void restore()}>
          {isBusy.value ? words.frame.underWay : words.task.restore}
        </button>
      )}
    </div>
  )
}
