import { NotFoundError } from '@taskwright/client'
import { type Loaded, useLoaded } from '../../live/loaded.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { go, hrefOf, hrefWith } from '../../router/router.ts'
import { words } from '../../words.ts'
import { mayRestore } from './deleting.ts'
import { Panel } from './panel.tsx'
import { react } from './reactions.ts'
import { type OpenTask, readTask } from './reading.ts'

/** The task that is open beside the view. @param id its key or id */
export default function Task({ id }: { id: string }) {
  return <Opened key={id} id={id} />
}

const close = () => go(hrefWith({ task: undefined }))

function Opened({ id }: { id: string }) {
  const loaded: Loaded<OpenTask> = useLoaded<OpenTask>(
    id,
    async (signal) => {
      const read = await readTask(id, signal)
      const shown = loaded.value.peek()
      // it was written while it was read
      return shown !== undefined && shown.version > read.version ? readTask(id, signal) : read
    },
    react,
  )
  const task = loaded.value.value
  const error = loaded.error.value
  const title = task ? `${task.key} ${task.name}` : id
  const isGone = error instanceof NotFoundError
  return (
    <Dialog title={title} onClose={close} kind="side" isTitleHidden={task !== undefined}>
      {task !== undefined && (
        <Panel desk={{ task: isGone ? { ...task, isDeleted: true } : task, loaded }} onClose={close} />
      )}
      {task === undefined && isGone && <Unseen />}
      {task === undefined && error !== undefined && !isGone && <Failure error={error} onRetry={loaded.reload} />}
      {task === undefined && error === undefined && (
        <p class="quiet" role="status">
          {words.frame.loading}
        </p>
      )}
    </Dialog>
  )
}

const Unseen = () => (
  <div class="task-gone" role="alert">
    <p>{words.task.unseen}</p>
    {mayRestore() && (
      <p>
        <a href={hrefOf('/trash')}>{words.task.lookInTrash}</a>
      </p>
    )}
  </div>
)
