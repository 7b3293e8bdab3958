import { NotFoundError } from '@taskwright/client'
import { type Loaded, useLoaded } from '../../live/loaded.ts'
import { isNewer } from '../../live/versions.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { go, hrefWith } from '../../router/router.ts'
import { whyNotWorkIn } from '../../session/may.ts'
import { words } from '../../words.ts'
import { Panel } from './panel.tsx'
import { react } from './reactions.ts'
import { type OpenTask, readTask } from './reading.ts'
import { Unseen } from './unseen.tsx'

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
      // a write during the read made a later version
      return shown !== undefined && isNewer(shown, read) ? readTask(id, signal) : read
    },
    react,
  )
  const task = loaded.value.value
  const error = loaded.error.value
  const title = task ? `${task.key} ${task.name}` : id
  const isGone = error instanceof NotFoundError
  const shown = task && (isGone ? { ...task, isDeleted: true as const } : task)
  return (
    <Dialog title={title} onClose={close} kind="side" isTitleHidden={task !== undefined}>
      {shown && <Panel desk={{ task: shown, loaded, whyNot: whyNotChange(shown) }} onClose={close} />}
      {task === undefined && isGone && <Unseen id={id} onRestored={loaded.reload} />}
      {task === undefined && error !== undefined && !isGone && <Failure error={error} onRetry={loaded.reload} />}
      {task === undefined && error === undefined && (
        <p class="quiet" role="status">
          {words.frame.loading}
        </p>
      )}
    </Dialog>
  )
}

const whyNotChange = ({ projectId, project, isDeleted }: OpenTask) =>
  whyNotWorkIn(projectId) ??
  (isDeleted ? words.task.isDeleted : project?.status === 'archived' ? words.task.isArchived : undefined)
