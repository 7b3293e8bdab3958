import type { ComponentChildren } from 'preact'
import { words } from '../../words.ts'
import type { SaveState } from './saving.ts'

interface OutcomeProps<V> {
  saving: SaveState<V>
  /** the edited field, such as `Description` */
  label: string
  show: (value: V) => ComponentChildren
  /** discards the user's value */
  onTheirs: () => void
  /** called when a retry was saved */
  onSaved: () => void
  onAgain: () => void
}

/** The state of an edit: in progress, failed, or both versions if somebody else changed it first. */
export function EditOutcome<V>({ saving, label, show, onTheirs, onSaved, onAgain }: OutcomeProps<V>) {
  const { isBusy, wanted, sentence, theirs } = saving.state.value
  if (isBusy)
    return (
      <p class="quiet small" role="status">
        {words.frame.underWay}
      </p>
    )
  if (theirs && wanted !== undefined)
    return (
      <section class="conflict" role="alert" aria-label={words.task.conflict.title(label)}>
        <p>{words.task.conflict.lead(label)}</p>
        <div class="versions">
          <section aria-label={words.task.conflict.mine}>
            <h4>{words.task.conflict.mine}</h4>
            <div dir="auto">{show(wanted)}</div>
            <button
              type="button"
              class="primary"
              onClick={async () => {
                if (await saving.keepMine()) onSaved()
              }}
            >
              {words.task.conflict.keepMine}
            </button>
          </section>
          <section aria-label={words.task.conflict.theirs}>
            <h4>{words.task.conflict.theirs}</h4>
            <div dir="auto">{show(theirs.value)}</div>
            <button
              type="button"
              onClick={() => {
                saving.settle()
                onTheirs()
              }}
            >
              {words.task.conflict.takeTheirs}
            </button>
          </section>
        </div>
      </section>
    )
  if (sentence === undefined) return null
  return (
    <div class="not-saved">
      <p class="failure small" role="alert">
        {sentence}
      </p>
      <button type="button" onClick={onAgain}>
        {words.notices.again}
      </button>
      <button
        type="button"
        class="plain"
        onClick={() => {
          saving.settle()
          onTheirs()
        }}
      >
        {words.task.giveUp}
      </button>
    </div>
  )
}
