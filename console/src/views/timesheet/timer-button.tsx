import { startTimer, stopTimer } from '../../live/timer.ts'
import { mayWrite } from '../../session/may.ts'
import type { Row } from './rows.ts'
import type { Sheet } from './sheet.ts'
import { timesheetWords } from './timesheet-words.ts'
import type { Walk } from './walk.ts'
import { nameOf } from './work.ts'

interface TimerButtonProps {
  row: Row
  place: ReturnType<Walk['at']>
  sheet: Sheet
  whyNot: string | undefined
}

/** Starts the timer on a row, or stops it if it runs there. */
export function TimerButton({ row: { work, days }, place, sheet, whyNot }: TimerButtonProps) {
  const running = [...days.values()].flat().find(({ endedAt }) => endedAt === null)
  const label = running ? timesheetWords.stop : timesheetWords.start
  // a member can stop their own timer even if they cannot start it
  const isOff = running ? !mayWrite() : whyNot !== undefined
  const press = async () => {
    if (isOff) return
    // keep the row, whatever happens to its time
    sheet.add([work])
    const outcome = await (running ? stopTimer() : startTimer(work.on))
    // another timer may have started meanwhile
    if (outcome.done && (!running || running.id === outcome.value.id)) {
      sheet.show({ tags: [], ...running, ...outcome.value, work })
    }
  }
  return (
    <button
      type="button"
      {...place}
      class={`icon ts-timer ${running ? 'running' : ''}`}
      aria-label={`${label}: ${nameOf(work)}`}
      title={isOff ? whyNot : label}
      aria-disabled={isOff}
      onClick={() => void press()}
    >
      <span aria-hidden="true">{running ? '■' : '▶'}</span>
    </button>
  )
}
