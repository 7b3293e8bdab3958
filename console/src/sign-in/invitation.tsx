import { useSignal } from '@preact/signals'
import { ApiError } from '@taskwright/client'
import { useEffect } from 'preact/hooks'
import { ask } from '../session/ask.ts'
import { noteSession } from '../session/kept-session.ts'
import { readAccount } from '../session/person.ts'
import { words } from '../words.ts'
import { Box } from './box.tsx'
import { FailureLine } from './failure-line.tsx'
import { enterFromLink, leaveLink } from './leave-link.ts'
import { Providers } from './providers.tsx'
import { SetUp } from './set-up.tsx'
import { signInWords } from './sign-in-words.ts'
import { ForOther, isFinal, signOutAndRead, Unusable } from './unusable-invitation.tsx'
import { useWaiting } from './waiting.ts'
import { useWays } from './ways.ts'
import { WaysIn } from './ways-in.tsx'

/** An invitation, as its link shows it. */
interface InvitationView {
  organization: { name: string }
  member: { name: string; email: string }
  role: 'owner' | 'admin' | 'member'
  /** null: an API key of a member who is gone, or the operator */
  invitedBy: { name: string } | null
  /** the person who is signed in */
  signedInAs?: string
  /** whether they can accept it */
  canUseExisting?: boolean
}

/** The page of an invitation: says what it is for, and lets the person join as themselves or create themselves. */
export default function Invitation({ token }: { token: string }) {
  const invitation = useSignal<InvitationView | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const isJoined = useSignal(false)
  const read = async () => {
    try {
      invitation.value = await ask<InvitationView>('POST', '/auth/invitation', { token })
      failure.value = undefined
    } catch (error) {
      failure.value = error
    }
  }
  useEffect(() => void read(), [])
  const accept = async (name?: string) => {
    const before = name === undefined ? (await readAccount()).organizations : []
    try {
      await ask('POST', '/auth/invitation/accept', { token, ...(name !== undefined && { name }) })
    } catch (error) {
      if (!isFinal(error)) throw error
      failure.value = error
      return
    }
    noteSession(name !== undefined)
    const { organizations } = await readAccount()
    const joined = organizations.find(({ id }) => !before.some((known) => known.id === id))
    if (name === undefined) await enterFromLink(joined?.id)
    else isJoined.value = true
  }
  if (isJoined.value) return <SetUp onDone={() => enterFromLink()} />
  if (failure.value !== undefined) return <Unusable error={failure.value} onRetry={read} />
  if (invitation.value === undefined)
    return (
      <p class="starting" role="status">
        {signInWords.invitation.under}
      </p>
    )
  return <Usable {...{ token, accept, invitation: invitation.value }} onSignedIn={read} />
}

interface UsableProps {
  token: string
  invitation: InvitationView
  accept: (name?: string) => Promise<void>
  /** reads the invitation again */
  onSignedIn: () => Promise<void>
}

function Usable({ token, invitation, accept, onSignedIn }: UsableProps) {
  const { organization, member, role, invitedBy, signedInAs, canUseExisting } = invitation
  const { ways } = useWays()
  const waiting = useWaiting()
  const name = useSignal(member.name)
  const isElse = useSignal(false)
  const [roleName, text] = [signInWords.invitation.role[role], signInWords.invitation]
  const lead = invitedBy
    ? text.invitedBy(invitedBy.name, organization.name, roleName)
    : text.invited(organization.name, roleName)
  const join = (as?: string) =>
    waiting.run(async () => {
      try {
        await accept(as)
      } catch (error) {
        // the address belongs to somebody who has an account
        if (error instanceof ApiError && error.code === 'sign_in_first') isElse.value = true
        throw error
      }
    })
  const signOut = () => waiting.run(() => signOutAndRead(onSignedIn))
  if (signedInAs !== undefined && !canUseExisting) return <ForOther {...{ signedInAs }} onRetry={onSignedIn} />
  if (signedInAs !== undefined)
    return (
      <Box key="as" title={text.join(organization.name)} lead={lead}>
        <p>{text.as(signedInAs)}</p>
        <FailureLine>{waiting.failure}</FailureLine>
        <button type="button" class="primary" aria-disabled={waiting.isBusy} onClick={() => void join()}>
          {text.accept(signedInAs)}
        </button>
        <button type="button" onClick={() => void signOut()}>
          {text.notMe}
        </button>
        <button type="button" class="plain link" onClick={() => void leaveLink()}>
          {text.notNow}
        </button>
      </Box>
    )
  // somebody new needs a way to sign in next time
  const canCreate = ways?.ways.some((way) => way === 'passkey' || way === 'password') ?? true
  if (ways && (isElse.value || !canCreate))
    return (
      <Box key="else" title={text.join(organization.name)} lead={lead}>
        <FailureLine>{waiting.failure}</FailureLine>
        <WaysIn
          of={ways}
          invitation={token}
          onDone={() => {
            noteSession(true)
            return onSignedIn()
          }}
        />
        {canCreate && (
          <button
            type="button"
            class="plain link"
            onClick={() => {
              isElse.value = false
            }}
          >
            {text.newHere}
          </button>
        )}
      </Box>
    )
  const submit = async (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') waiting.fail(text.noName)
    else await join(name.value.trim())
  }
  return (
    <Box key="new" title={text.join(organization.name)} lead={lead}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <label class="field">
          <span>{text.name}</span>
          <input
            name="name"
            autocomplete="name"
            dir="auto"
            maxLength={255}
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value
            }}
          />
        </label>
        <p class="quiet small">{text.nameHint}</p>
        <FailureLine>{waiting.failure}</FailureLine>
        <button class="primary" type="submit" aria-disabled={waiting.isBusy}>
          {waiting.isBusy ? words.frame.underWay : text.create}
        </button>
      </form>
      <Providers of={ways?.providers ?? []} invitation={token} onFailure={waiting.fail} />
      <button
        type="button"
        class="plain link"
        onClick={() => {
          isElse.value = true
        }}
      >
        {text.haveAccount}
      </button>
    </Box>
  )
}
