import { useSignal } from '@preact/signals'
import { foldName } from '@taskwright/client'
import { useId } from 'preact/hooks'
import { readName } from '../../parts/known-names.ts'
import { findMembers, findProjects, findTags, findTaskTypes, findWorkspaces } from '../../parts/options.ts'
import { hrefWith, query, setQuery } from '../../router/router.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { DayFilters } from './day-filters.tsx'
import { Filter } from './filter.tsx'
import { filterCount, hrefOfAll, valuesOf } from './list-query.ts'

const text = words.list
const options = (names: Record<string, string>) => Object.entries(names).map(([id, label]) => ({ id, label }))
const none = options({ none: text.none })
const people = options({ me: text.me, none: text.nobody })

/** All filters of GET /tasks: the common ones, and the rest behind a button. */
export function Filters() {
  const isOpen = useSignal(false)
  const id = useId()
  const count = filterCount()
  return (
    <>
      <div class="list-filters">
        <Filter filter="projectId" label={text.project} find={findProjects} read={readName.project} />
        <Filter filter="assigneeId" label={text.assignee} fixed={people} find={findMembers} read={readName.member} />
        <Filter filter="priority" label={text.priority} fixed={options(text.priorities)} />
        <select
          aria-label={text.state}
          value={query('completed')}
          onChange={({ currentTarget }) => setQuery({ completed: currentTarget.value })}
        >
          <option value="">{text.openOrDone}</option>
          <option value="false">{text.open}</option>
          <option value="true">{text.done}</option>
        </select>
        <button
          type="button"
          aria-expanded={isOpen.value}
          aria-controls={id}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          {text.moreFilters}
        </button>
        {(count > 0 || query('q') !== '') && <a href={hrefOfAll()}>{text.clear}</a>}
      </div>
      <div id={id} class="list-filters more" hidden={!isOpen.value}>
        {isOpen.value && <More />}
      </div>
    </>
  )
}

function More() {
  const boards = valuesOf('workspaceId').filter((id) => id !== 'none')
  const findStages = async (typed: string, signal: AbortSignal) => {
    const lists = await Promise.all(boards.map((id) => tw().stages.list(id, { limit: 100 }, { signal })))
    return lists
      .flatMap(({ data }) => data)
      .filter(({ name }) => foldName(name).includes(foldName(typed)))
      .map(({ id, name }) => ({ id, label: name }))
  }
  return (
    <>
      <Filter filter="workspaceId" label={text.board} fixed={none} find={findWorkspaces} read={readName.workspace} />
      {(boards.length > 0 || query('stageId') !== '') && (
        <Filter filter="stageId" label={text.stage} fixed={none} find={findStages} read={readName.stage} />
      )}
      <Filter filter="stageCategory" label={text.category} fixed={options(text.categories)} />
      <Filter filter="typeId" label={text.type} fixed={none} find={findTaskTypes} read={readName.taskType} />
      <Filter filter="tagId" label={text.allTags} find={findTags} read={readName.tag} />
      <Filter filter="anyTagId" label={text.anyTag} find={findTags} read={readName.tag} />
      <Filter
        filter="createdBy"
        label={text.creator}
        fixed={people.slice(0, 1)}
        find={findMembers}
        read={readName.member}
      />
      <DayFilters />
      {query('id') !== '' && <a href={hrefWith({ id: undefined })}>{text.notOnlyThese}</a>}
    </>
  )
}
