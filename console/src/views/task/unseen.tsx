import { useSignal } from '@preact/signals'
import { act } from '../../act/act.ts'
import { useLoaded } from '../../live/loaded.ts'
import { dayOf, dayText, momentText } from '../../parts/format.ts'
import { mayAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { listed, type TrashItem } from '../trash/deleted.ts'
import { readLatest } from '../trash/reading.ts'
import { trashWords } from '../trash/trash-words.ts'

interface UnseenProps {
  /** the id or key of a task that was not found */
  id: string
  onRestored: () => void
}

/** Shows whether a missing task was deleted, and lets members restore it if they can. */
export function Unseen({ id, onRestored }: UnseenProps) {
  const isBusy = useSignal(false)
  const isIt = ({ kind, id: itsId, snapshot: { key } }: TrashItem) =>
    kind === 'task' && (itsId === id || key === id.toUpperCase())
  const found = useLoaded(`deleted ${id}`, (signal) => readLatest((all) => all.some(isIt), signal))
  const deleted = found.value.value && listed(found.value.value).find(isIt)
  if (!deleted)
    return (
      <div class="task-gone" role="alert">
        <p>{found.isLoading.value ? words.frame.loading : words.task.unseen}</p>
      </div>
    )
  const restore = async () => {
    if (isBusy.value) return
    isBusy.value = true
    const said = words.task.restored(String(deleted.snapshot.key))
    const outcome = await act((once) => tw().tasks.restore(deleted.id, once), { said })
    isBusy.value = false
    if (outcome.done) onRestored()
  }
  return (
    <div class="task-gone" role="alert">
      <p>
        <bdi>{words.task.deletedThen(String(deleted.snapshot.name), momentText(deleted.at))}</bdi>
      </p>
      <p class="quiet">{trashWords.until(dayText(dayOf(new Date(deleted.until))))}</p>
      {mayAdminister() ? (
        <button type="button" aria-disabled={isBusy.value} onClick={() => void restore()}>
          {isBusy.value ? words.frame.underWay : words.task.restore}
        </button>
      ) : (
        <p>{trashWords.notYou}</p>
      )}
    </div>
  )
}
