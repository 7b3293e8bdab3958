import { useSignal } from '@preact/signals'
import { dayOf, dayText, momentText } from '../../parts/format.ts'
import { Row } from '../../parts/rows.tsx'
import { taskHref } from '../../router/router.ts'
import { mayAdminister } from '../../session/may.ts'
import { words } from '../../words.ts'
import type { TrashItem } from './deleted.ts'
import { restore } from './restoring.ts'
import { nameOf, taskOf } from './saying.ts'

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
      chips={<span class="chip">{words.trash.kinds[deleted.kind]}</span>}
      about={[
        <bdi key="by">{words.trash.deleted(momentText(deleted.at), by)}</bdi>,
        words.trash.until(dayText(dayOf(new Date(deleted.until)))),
        ...(task === undefined
          ? []
          : [
              <a key="task" href={taskHref(task)} aria-label={words.trash.openTask(name)}>
                {words.trash.ofTask}
              </a>,
            ]),
      ]}
      actions={
        mayAdminister() && (
          <button
            type="button"
            aria-disabled={isBusy.value}
            aria-label={words.trash.restoreOne(name)}
            onClick={() => void bringBack()}
          >
            {isBusy.value ? words.frame.underWay : words.trash.restore}
          </button>
        )
      }
    />
  )
}
