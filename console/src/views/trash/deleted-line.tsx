import { useSignal } from '@preact/signals'
import { dayOf, dayText, momentText } from '../../parts/format.ts'
import { Row } from '../../parts/rows.tsx'
import { taskHref } from '../../router/router.ts'
import { mayAdminister } from '../../session/may.ts'
import { words } from '../../words.ts'
import type { TrashItem } from './deleted.ts'
import { restore } from './restoring.ts'
import { nameOf, taskOf } from './saying.ts'
import { trashWords } from './trash-words.ts'

interface DeletedLineProps {
  deleted: TrashItem
  /** the name of the member who deleted it */
  by: string
}

/** A deleted item: who deleted it, the end of the restore period, and a Restore button. */
export function DeletedLine({ deleted, by }: DeletedLineProps) {
  const isBusy = useSignal(false)
  const name = nameOf(deleted)
  const task = taskOf(deleted)
  const bringBack = async () => {
    if (isBusy.value) return
    isBusy.value = true
    await restore(deleted)
    isBusy.value = false
  }
  return (
    <Row
      name={<span dir="auto">{name}</span>}
      chips={<span class="chip">{trashWords.kinds[deleted.kind]}</span>}
      about={[
        <bdi key="by">{trashWords.deleted(momentText(deleted.at), by)}</bdi>,
        trashWords.until(dayText(dayOf(new Date(deleted.until)))),
        ...(task === undefined
          ? []
          : [
              <a key="task" href={taskHref(task)} aria-label={trashWords.openTask(name)}>
                {trashWords.ofTask}
              </a>,
            ]),
      ]}
      actions={
        mayAdminister() && (
          <button
            type="button"
            aria-disabled={isBusy.value}
            aria-label={trashWords.restoreOne(name)}
            onClick={() => void bringBack()}
          >
            {isBusy.value ? words.frame.underWay : trashWords.restore}
          </button>
        )
      }
    />
  )
}
