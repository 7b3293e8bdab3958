import { hrefOf, place } from '../../router/router.ts'
import { words } from '../../words.ts'
import { Members } from './members.tsx'
import { peopleWords } from './people-words.ts'
import { ProjectPage } from './project-page.tsx'
import { Projects } from './projects.tsx'
import { Roles } from './roles.tsx'

const tabs = [
  { path: '/people', label: peopleWords.members },
  { path: '/people/projects', label: peopleWords.projects },
  { path: '/people/roles', label: peopleWords.roles },
]

/** The pages of members, projects and roles. */
export default function People() {
  const { path } = place.value
  const [, , part = '', id] = path.split('/')
  const current = part === '' ? '/people' : `/people/${part}`
  return (
    <>
      <header class="view-head">
        <h1>{words.views.people}</h1>
      </header>
      <nav class="tabs" aria-label={words.views.people}>
        {tabs.map((tab) => (
          <a
            key={tab.path}
            href={hrefOf(tab.path)}
            {...(tab.path === current && { 'aria-current': path === current ? ('page' as const) : ('true' as const) })}
          >
            {tab.label}
          </a>
        ))}
      </nav>
      {part === '' && <Members />}
      {part === 'projects' && (id ? <ProjectPage key={id} id={id} /> : <Projects />)}
      {part === 'roles' && <Roles />}
      {!tabs.some((tab) => tab.path === current) && <p class="empty">{words.views.unknownLead}</p>}
    </>
  )
}
