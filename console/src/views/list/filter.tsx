import { foldName } from '@taskwright/client'
import { type ReadName, remember, useOptions } from '../../parts/known-names.ts'
import { type Option, Picker } from '../../parts/picker.tsx'
import { setQuery } from '../../router/router.ts'
import { type ListFilter, valuesOf } from './list-query.ts'

interface FilterProps {
  filter: ListFilter
  label: string
  /** extra options that the server knows as words */
  fixed?: readonly Option[]
  find?: (typed: string, signal: AbortSignal) => Promise<readonly Option[]>
  read?: ReadName
}

/** A filter with several values. The address has the chosen values. */
export function Filter({ filter, label, fixed = [], find, read }: FilterProps) {
  const chosen = useOptions(valuesOf(filter), fixed, read)
  const choose = (options: readonly Option[]) => {
    remember(options)
    setQuery({ [filter]: options.map(({ id }) => id).join() })
  }
  const findBoth = async (typed: string, signal: AbortSignal) => [
    ...fixed.filter(({ label }) => foldName(label).includes(foldName(typed))),
    ...((await find?.(typed, signal)) ?? []),
  ]
  return <Picker label={label} chosen={chosen} find={findBoth} onChange={choose} />
}
