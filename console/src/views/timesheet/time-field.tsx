import { useId } from 'preact/hooks'
import { timesheetWords } from './timesheet-words.ts'

interface TimeFieldProps {
  value: string
  problem: string | undefined
  isReadOnly?: boolean
  onInput: (typed: string) => void
}

/** A field for a duration, or for start and end. */
export function TimeField({ value, problem, isReadOnly = false, onInput }: TimeFieldProps) {
  const id = useId()
  return (
    <div class="field ts-time">
      <label htmlFor={id}>{timesheetWords.time}</label>
      <input
        id={id}
        autocomplete="off"
        spellcheck={false}
        value={value}
        readOnly={isReadOnly}
        placeholder={timesheetWords.example}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget: { value } }) => onInput(value)}
      />
      <p id={`${id}-problem`} class="failure small" role="alert">
        {problem ?? ''}
      </p>
    </div>
  )
}
