import { findMembers } from '../../parts/options.ts'
import { Picker } from '../../parts/picker.tsx'
import { hrefWith, setQuery } from '../../router/router.ts'
import { isAdmin } from '../../session/may.ts'
import { keyWords } from './key-words.ts'

/** Chooses the member whose keys are shown, for owners and admins. */
export function Whose({ whose, name }: { whose: string; name: string | null | undefined }) {
  if (!isAdmin()) return null
  const isOne = whose !== '' && whose !== 'all'
  const link = (to: string, label: string) => (
    <a href={hrefWith({ of: to, page: undefined })} {...(whose === to && { 'aria-current': 'page' as const })}>
      {label}
    </a>
  )
  return (
    <nav class="tabs keys-whose" aria-label={keyWords.whose}>
      {link('', keyWords.mine)}
      {link('all', keyWords.all)}
      <Picker
        isSingle
        label={keyWords.ofOne}
        chosen={isOne ? [{ id: whose, label: name ?? keyWords.somebody }] : []}
        find={findMembers}
        onChange={([one]) => setQuery({ of: one?.id ?? 'all', page: undefined }, { replace: false })}
      />
    </nav>
  )
}
