import { useSignal } from '@preact/signals'
import type { Project } from '@taskwright/client'
import { useCommands } from '../../frame/shortcuts.ts'
import { useLoaded } from '../../live/loaded.ts'
import { Loading } from '../../parts/loading.tsx'
import { Pager, pageOf, Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { query, setQuery } from '../../router/router.ts'
import { mayAdminister, whyNotAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { EditProject } from './edit-project.tsx'
import { NewProject } from './new-project.tsx'
import { peopleWords } from './people-words.ts'
import { ProjectLine } from './project-line.tsx'

const pageSize = 50
const states = ['active', 'archived', 'all'] as const

/** The visible projects and their progress. */
export function Projects() {
  const [q, page] = [query('q').trim(), pageOf(query('page'))]
  const status = states.find((state) => state === query('status')) ?? 'active'
  const making = useSignal(false)
  const edited = useSignal<Project | undefined>(undefined)
  const projects = useLoaded(
    `${q} ${page} ${status}`,
    (signal) => {
      const filters = { ...(q !== '' && { q }), ...(status !== 'all' && { status }) }
      const part = { limit: pageSize, offset: (page - 1) * pageSize, include: ['progress'] as const }
      return tw().projects.list({ ...filters, ...part }, { signal })
    },
    ({ type }) => (/^(project\.|task\.(created|deleted|restored|moved))/.test(type) ? 'again' : undefined),
  )
  const make = () => {
    making.value = true
  }
  const close = () => {
    making.value = false
    edited.value = undefined
  }
  useCommands(peopleWords.projects, [{ label: peopleWords.newProject, keys: 'n', whyNot: whyNotAdminister, run: make }])
  return (
    <>
      <div class="view-head">
        <SearchField label={peopleWords.searchProjects} />
        <select
          aria-label={peopleWords.status}
          value={status}
          onChange={({ currentTarget: { value } }) =>
            setQuery({ status: value === 'active' ? undefined : value, page: undefined })
          }
        >
          {states.map((state) => (
            <option key={state} value={state}>
              {peopleWords.states[state]}
            </option>
          ))}
        </select>
        <span class="spacer" />
        {mayAdminister() && (
          <button type="button" class="primary" onClick={make}>
            {peopleWords.newProject}
          </button>
        )}
      </div>
      <Loading of={projects}>
        {({ data, total }) => (
          <>
            {data.length === 0 && (
              <p class="empty">{q === '' && status === 'active' ? peopleWords.noProjects : peopleWords.noneFound}</p>
            )}
            <Rows label={peopleWords.projects}>
              {data.map((project) => (
                <ProjectLine
                  key={project.id}
                  project={project}
                  onEdit={() => {
                    edited.value = project
                  }}
                />
              ))}
            </Rows>
            <Pager {...{ page, pageSize, total }} />
          </>
        )}
      </Loading>
      {making.value && <NewProject onClose={close} />}
      {edited.value && <EditProject project={edited.value} onClose={close} />}
    </>
  )
}
