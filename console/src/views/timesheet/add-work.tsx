import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { failureSentence } from '../../act/failures.ts'
import { useCommands } from '../../frame/shortcuts.ts'
import type { Option } from '../../parts/picker.tsx'
import { Picker } from '../../parts/picker.tsx'
import { dayAfter } from '../../parts/zone.ts'
import { whyNotLead, whyNotLeadAny, whyNotWork, whyNotWorkIn } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { readEntries, type Week } from './entries.ts'
import type { Sheet } from './sheet.ts'
import { timesheetWords } from './timesheet-words.ts'
import type { WorkItem } from './work.ts'

/** Adds rows to a week: a task, or all tasks of the week before. */
export function AddWork({ week, sheet }: { week: Week; sheet: Sheet }) {
  const box = useRef<HTMLDivElement>(null)
  const found = useRef(new Map<string, WorkItem>())
  const isReading = useSignal(false)
  const said = useSignal('')
  const isOwn = week.memberId === me().member.id
  const whyNot = isOwn ? whyNotWork : whyNotLeadAny
  const whyNotOn = isOwn ? whyNotWorkIn : whyNotLead
  const find = async (typed: string, signal: AbortSignal): Promise<Option[]> => {
    const works = (await findWorks(typed, signal)).filter(({ projectId }) => whyNotOn(projectId) === undefined)
    for (const work of works) found.current.set(work.taskId, work)
    return works.map(({ taskId, taskKey, taskName }) => ({ id: taskId, label: `${taskKey} ${taskName}` }))
  }
  const addLastWeek = async () => {
    if (isReading.value) return
    isReading.value = true
    said.value = ''
    try {
      const entries = await readEntries({ ...week, start: dayAfter(week.start, -7) }, 0)
      const works = new Map(entries.map(({ work }) => [work.id, work]))
      if (works.size === 0) said.value = timesheetWords.noneLastWeek
      sheet.add([...works.values()])
    } catch (error) {
      said.value = failureSentence(error)
    }
    isReading.value = false
  }
  const openPicker = () => {
    const button = box.current?.querySelector('button')
    // the button gets the focus back if the user chooses nothing
    button?.focus()
    button?.click()
  }
  useCommands(words.views.timesheet, [
    { label: timesheetWords.addTask, keys: 'n', whyNot, run: openPicker },
    { label: timesheetWords.lastWeek, whyNot, run: () => void addLastWeek() },
  ])
  const reason = whyNot()
  if (reason !== undefined) return <p class="quiet small">{reason}</p>
  return (
    <div ref={box} class="buttons ts-add">
      <Picker
        label={timesheetWords.addTask}
        isSingle
        chosen={[]}
        find={find}
        onChange={([chosen]) => {
          const work = chosen && found.current.get(chosen.id)
          if (!work) return
          sheet.add([work])
          sheet.wanted.value = work.id
        }}
      />
      <button type="button" aria-disabled={isReading.value} onClick={() => void addLastWeek()}>
        {timesheetWords.lastWeek}
      </button>
      <span class="quiet small" role="status">
        {said.value}
      </span>
    </div>
  )
}

const most = 20

/** Finds tasks by text; without text, the user's open tasks. */
async function findWorks(typed: string, signal: AbortSignal): Promise<WorkItem[]> {
  const query = typed === '' ? { assigneeId: ['me'], completed: false } : { q: typed }
  const fields = ['id', 'key', 'name', 'projectId'] as const
  const { data } = await tw().tasks.list({ ...query, limit: most, fields, include: ['project'] }, { signal })
  return data.map(({ id, key, name, projectId, project }) => ({
    ...{ id: `t${id}`, on: { taskId: id }, taskId: id, taskKey: key, taskName: name, stepName: undefined },
    ...{ projectId, projectName: project?.name ?? '', color: project?.color ?? null },
  }))
}
