import type { Subtask } from '@taskwright/client'
import { useRef } from 'preact/hooks'
import type { Loaded } from '../../live/loaded.ts'
import { without } from '../../live/versions.ts'
import { Loading } from '../../parts/loading.tsx'
import { me } from '../../session/session.ts'
import { words } from '../../words.ts'
import { useFocusKept } from './focus-kept.ts'
import { groupsOf } from './groups.ts'
import { More } from './more.tsx'
import { TaskLine } from './task-line.tsx'
import { useToday } from './today.ts'
import { type PersonalWork, useWork } from './work.ts'

const text = words.myWork

/** The open work of the signed-in member, by due date. */
export default function MyWork() {
  const work = useWork()
  return (
    <div class="my-work">
      <div class="view-head">
        <h1>{words.views.myWork}</h1>
      </div>
      <Loading of={work}>
        {(now) => (
          <Groups
            work={now}
            finalized={(step) => work.change((now) => ({ ...now, subtasks: without(now.subtasks, step) }))}
            change={work.change}
          />
        )}
      </Loading>
    </div>
  )
}

interface GroupsProps {
  work: PersonalWork
  finalized: (step: Subtask) => void
  change: Loaded<PersonalWork>['change']
}

function Groups({ work, finalized, change }: GroupsProps) {
  const list = useRef<HTMLDivElement>(null)
  const { timezone, weekStart } = me().organization
  const today = useToday(timezone)
  const groups = groupsOf(work, today, weekStart)
  useFocusKept(list, work)
  return (
    <div ref={list}>
      {groups.length === 0 && <p class="empty">{text.empty}</p>}
      {groups.map(({ when, items }) => (
        <section key={when} aria-labelledby={`my-work-${when}`} class={`my-work-group ${when}`}>
          <h2 id={`my-work-${when}`}>
            {text.whens[when]} <span class="quiet small">{items.length}</span>
          </h2>
          <ul aria-labelledby={`my-work-${when}`}>
            {items.map((item) => (
              <TaskLine key={item.id} item={item} today={today} finalized={finalized} />
            ))}
          </ul>
        </section>
      ))}
      {(work.next.tasks !== null || work.next.subtasks !== null) && <More work={work} change={change} />}
    </div>
  )
}
