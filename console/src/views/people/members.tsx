import { useSignal } from '@preact/signals'
import type { Member, NewApiKey, NewInvitation } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { useCommands } from '../../frame/shortcuts.ts'
import { useLoaded } from '../../live/loaded.ts'
import { Loading } from '../../parts/loading.tsx'
import { Pager, pageOf, Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { query } from '../../router/router.ts'
import { mayAdminister, whyNotAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { KeySecret } from '../keys/key-secret.tsx'
import { MakeKey } from '../keys/make-key.tsx'
import { EditMember } from './edit-member.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { useInvitations } from './invitations.ts'
import { InviteMember } from './invite-member.tsx'
import { MemberLine } from './member-line.tsx'
import { peopleWords } from './people-words.ts'
import { RemoveMember } from './remove-member.tsx'

const pageSize = 50

/** The open dialog. */
type Open =
  | { what: 'invite' }
  | { what: 'edit' | 'remove'; member: Member }
  /** `isNew`: a new member has no key yet */
  | { what: 'key'; member: Member; isNew: boolean }
  | { what: 'secret'; made: NewApiKey }
  | { what: 'link'; member: Member; invitation: NewInvitation }

/** The members of the organization. */
export function Members() {
  const [q, page] = [query('q'), pageOf(query('page'))]
  const open = useSignal<Open | undefined>(undefined)
  const members = useLoaded(
    `${q} ${page}`,
    (signal) => {
      const part = { limit: pageSize, offset: (page - 1) * pageSize, include: ['projects'] as const }
      return tw().members.list(q.trim() === '' ? part : { ...part, q }, { signal })
    },
    ({ type }) => (/^(member|project_member|project)\./.test(type) ? 'again' : undefined),
  )
  const show = (next: Open | undefined) => {
    open.value = next
  }
  const close = () => show(undefined)
  const invite = () => show({ what: 'invite' })
  useCommands(peopleWords.members, [{ label: peopleWords.invite, keys: 'n', whyNot: whyNotAdminister, run: invite }])
  const invitations = useInvitations(members.value.value?.data)
  const showLink = async (member: Member) => {
    const outcome = await act((once) => tw().members.invite(member.id, once))
    if (outcome.done) show({ what: 'link', member, invitation: outcome.value })
  }
  const now = open.value
  return (
    <>
      <div class="view-head">
        <SearchField label={peopleWords.search} />
        <span class="spacer" />
        {mayAdminister() && (
          <button type="button" class="primary" onClick={invite}>
            {peopleWords.invite}
          </button>
        )}
      </div>
      <Loading of={members}>
        {({ data, total }) => (
          <>
            {data.length === 0 && <p class="empty">{peopleWords.nobody}</p>}
            <Rows label={peopleWords.members}>
              {data.map((member) => (
                <MemberLine
                  key={member.id}
                  member={member}
                  invitation={invitations.get(member.id)}
                  onAsk={(what) => (what === 'link' ? void showLink(member) : show({ what, member, isNew: false }))}
                />
              ))}
            </Rows>
            <Pager {...{ page, pageSize, total }} />
          </>
        )}
      </Loading>
      {now?.what === 'invite' && (
        <InviteMember
          onClose={close}
          onAdded={({ invitation, ...member }) =>
            show(invitation ? { what: 'link', member, invitation } : { what: 'key', member, isNew: true })
          }
        />
      )}
      {now?.what === 'edit' && <EditMember member={now.member} onClose={close} />}
      {now?.what === 'remove' && <RemoveMember member={now.member} onClose={close} />}
      {now?.what === 'key' && (
        <MakeKey
          memberId={now.member.id}
          name={peopleWords.keyName(now.member.name)}
          lead={now.isNew ? peopleWords.needsKey(now.member.name) : undefined}
          onClose={close}
          onMade={(made) => show({ what: 'secret', made })}
        />
      )}
      {now?.what === 'link' && <InvitationLink invitation={now.invitation} {...now.member} onClose={close} />}
      {now?.what === 'secret' && <KeySecret made={now.made} onClose={close} />}
    </>
  )
}
