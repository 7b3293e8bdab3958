import { Failure } from '../../parts/failure.tsx'
import { query, setQuery } from '../../router/router.ts'
import { words } from '../../words.ts'
import { Filters } from './filters.tsx'
import { wantedNow } from './list-query.ts'
import { useFound } from './loaded-list.ts'
import { isOffered, sorts } from './order.ts'
import { Search } from './search.tsx'
import { Table } from './table.tsx'

/** The list of visible tasks, selected by the address. */
export default function List() {
  const wanted = wantedNow()
  const found = useFound(wanted)
  const { value, error, isLoading } = found
  const count = value.value?.rows.length ?? 0
  return (
    <div class="list">
      <div class="view-head">
        <h1>{words.views.list}</h1>
        <p class="quiet" role="status">
          {value.value ? words.list.count(count, value.value.next !== null) : words.frame.loading}
        </p>
      </div>
      <div class="list-asked">
        <Search />
        <label class="list-sort">
          <span>{words.list.sort}</span>
          <select
            value={query('sort') || '-createdAt'}
            onChange={({ currentTarget: { value } }) => setQuery({ sort: value === '-createdAt' ? undefined : value })}
          >
            {sorts
              .filter((sort) => isOffered(sort, wanted) || sort === wanted.sort)
              .map((sort) => (
                <option key={sort} value={sort}>
                  {words.list.sorts[sort]}
                </option>
              ))}
          </select>
        </label>
      </div>
      <Filters />
      {error.value !== undefined && <Failure error={error.value} onRetry={found.reload} />}
      {value.value && count === 0 && !error.value && <p class="empty">{words.list.empty}</p>}
      {value.value && count > 0 && <Table found={value.value} isBusy={isLoading.value} more={found.more} />}
      {found.moreError.value !== undefined && <Failure error={found.moreError.value} onRetry={found.more} />}
    </div>
  )
}
