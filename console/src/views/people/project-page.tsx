import { useSignal } from '@preact/signals'
import { useLoaded } from '../../live/loaded.ts'
import { dayText } from '../../parts/format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Rows } from '../../parts/rows.tsx'
import { go, hrefOf } from '../../router/router.ts'
import { mayAdminister, whyNotLead } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { AddToProject } from './add-to-project.tsx'
import { EditProject } from './edit-project.tsx'
import { peopleWords } from './people-words.ts'
import { projectItems } from './project-acts.ts'
import { Bar } from './project-line.tsx'
import { ProjectMemberLine } from './project-member-line.tsx'

const most = 100

/** A project: its members and their roles. */
export function ProjectPage({ id }: { id: string }) {
  const editing = useSignal(false)
  const project = useLoaded(
    id,
    (signal) => tw().projects.get(id, { include: ['progress'] }, { signal }),
    ({ type, resource, projectId }, now) =>
      (type.startsWith('project.') && resource.id === now.id) || (type.startsWith('task.') && projectId === now.id)
        ? 'again'
        : undefined,
  )
  const members = useLoaded(
    id,
    (signal) => everybodyIn(id, signal),
    ({ type, projectId }) => {
      const isHere = projectId === project.value.value?.id
      return (type.startsWith('project_member.') && isHere) || type.startsWith('member.') ? 'again' : undefined
    },
  )
  return (
    <Loading of={project}>
      {(now) => {
        // use the id: the address may have the key
        const mayLead = whyNotLead(now.id) === undefined
        return (
          <>
            <div class="view-head">
              <h2 dir="auto" class="people-project-name">
                {now.name}
              </h2>
              <span class="chip">{now.key}</span>
              {now.status === 'archived' && <span class="chip warn">{peopleWords.archived}</span>}
              <span class="spacer" />
              {mayLead && (
                <Menu
                  class="icon"
                  label={peopleWords.actions(now.name)}
                  items={projectItems(now, {
                    onEdit: () => {
                      editing.value = true
                    },
                    mayDelete: mayAdminister(),
                    onDeleted: () => go(hrefOf('/people/projects')),
                  })}
                >
                  ⋯
                </Menu>
              )}
            </div>
            {now.description !== null && (
              <p dir="auto" class="people-description">
                {now.description}
              </p>
            )}
            <p class="quiet small people-facts">
              {now.progress && <Bar progress={now.progress} name={now.name} />}
              {now.startDate !== null && <span>{peopleWords.starts(dayText(now.startDate))}</span>}
              {now.dueDate !== null && <span>{peopleWords.due(dayText(now.dueDate))}</span>}
            </p>
            <h3 class="people-heading">{peopleWords.members}</h3>
            {mayLead && now.status === 'active' && <AddToProject project={now} />}
            <Loading of={members}>
              {(all) => (
                <Rows label={peopleWords.membersOf(now.name)}>
                  {all.map((member) => (
                    <ProjectMemberLine
                      key={member.memberId}
                      {...{ member, mayLead: mayLead && now.status === 'active' }}
                    />
                  ))}
                </Rows>
              )}
            </Loading>
            {editing.value && (
              <EditProject
                project={now}
                onClose={() => {
                  editing.value = false
                }}
              />
            )}
          </>
        )
      }}
    </Loading>
  )
}

async function everybodyIn(id: string, signal: AbortSignal) {
  const all = []
  for await (const member of tw().projects.members.list(id, { limit: most }, { signal })) all.push(member)
  return all
}
