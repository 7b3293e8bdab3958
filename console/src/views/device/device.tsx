import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { go, hrefOf, query } from '../../router/router.ts'
import { session } from '../../session/session.ts'
import { signInWords } from '../../sign-in/sign-in-words.ts'
import { words } from '../../words.ts'
import { Approval } from './approval.tsx'

/** Lets a device or a program in that shows a code, such as `tw login`. */
export default function Device() {
  return (
    <div class="device-page">
      <header class="view-head">
        <h1>{words.views.device}</h1>
      </header>
      {session.value?.by !== 'session' ? <p>{signInWords.device.keyOnly}</p> : <Steps code={query('code')} />}
    </div>
  )
}

function Steps({ code }: { code: string }) {
  if (code === '') return <CodeForm />
  return <Approval key={code} code={code} />
}

function CodeForm() {
  const typed = useSignal('')
  // the view comes to a page that is there: nothing else takes the focus
  useEffect(() => document.getElementById('device-code')?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    const code = codeOf(typed.value)
    if (code !== '') go(hrefOf('/device', { code }))
  }
  return (
    <form class="form" onSubmit={submit}>
      <p>{signInWords.device.lead}</p>
      <label class="field">
        <span>{signInWords.device.code}</span>
        <input
          id="device-code"
          class="device-code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          placeholder="ABCD-EFGH"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
          }}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="primary">
          {signInWords.device.next}
        </button>
      </div>
    </form>
  )
}

/** The code as the server wrote it, also if it was typed in small letters or without the hyphen. */
function codeOf(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters
}
