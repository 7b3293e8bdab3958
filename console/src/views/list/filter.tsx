import { foldName } from '@taskwright/client'
import { type ReadName, remember, useOptions } from '../../parts/known-names.ts'
import { type Option, Picker } from '../../parts/picker.tsx'
import { setQuery } from '../../router/router.ts'
import { type Several, valuesOf } from './wanted.ts'

interface FilterProps {
  filter: Several
  label: string
  /** what can be chosen beside what is found: words that the server knows */
  fixed?: readonly Option[]
  find?: (typed: string, signal: AbortSignal) => Promise<readonly Option[]>
  read?: ReadName
}

/** One filter of several values; what is chosen stands in the address. */
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
