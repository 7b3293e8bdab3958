import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { undoLast } from '../act/act.ts'
import { isDialogOpen } from '../parts/dialog.tsx'
import { Notices } from '../parts/notices.tsx'
import { Offline } from '../parts/offline.tsx'
import { go, hrefOf, openTask, place } from '../router/router.ts'
import { account, switchTo } from '../session/person.ts'
import { me, session } from '../session/session.ts'
import { signInAgainRequest } from '../session/sign-in-again.ts'
import { signOut } from '../session/start.ts'
import { words } from '../words.ts'
import { Lazily } from './lazily.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { followKeys, useCommands } from './shortcuts.ts'
import { ShortcutsHelp } from './shortcuts-help.tsx'
import { chooseTheme, themes } from './theme.ts'
import { Top } from './top.tsx'
import { viewOf, views } from './views.ts'

const loadSignInAgain = () => import('../sign-in/sign-in-again.tsx')
const loadTask = () => import('../views/task/task.tsx')

/** The frame of every view: navigation, progress, commands and notices. */
export function Shell() {
  const shown = useSignal<'palette' | 'shortcuts' | undefined>(undefined)
  const close = () => {
    shown.value = undefined
  }
  const view = viewOf(place.value.path)
  useLayoutEffect(followKeys, [])
  useLayoutEffect(() => {
    document.title = `${view?.name ?? words.views.unknown} · ${words.name}`
  }, [view])
  useCommands(words.shortcuts.everywhere, [
    {
      label: words.shortcuts.palette,
      keys: 'Ctrl+k',
      run: () => {
        shown.value = 'palette'
      },
      always: true,
    },
    {
      label: words.shortcuts.help,
      keys: '?',
      run: () => {
        shown.value = 'shortcuts'
      },
      inDialogs: true,
    },
    { label: words.shortcuts.undo, keys: 'z', run: undoLast, inDialogs: true },
    ...views.map(({ name, path, letter }) => ({
      ...{ label: words.shortcuts.goTo(name), keys: `g ${letter}`, run: () => go(hrefOf(path)) },
    })),
    ...themes.map((each) => ({
      label: words.frame.themes[each],
      run: () => chooseTheme(each),
    })),
    ...(account.value?.organizations ?? [])
      .filter(({ id }) => id !== me().organization.id)
      .map(({ id, name }) => ({ label: words.session.switchTo(name), run: () => switchTo(id) })),
    ...(session.value?.by === 'session' ? [{ label: words.views.account, run: () => go(hrefOf('/account')) }] : []),
    { label: words.session.out, run: signOut },
  ])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={focusContent}>
        {words.frame.skip}
      </button>
      <Top
        current={view}
        onCommands={() => {
          shown.value = 'palette'
        }}
        onShortcuts={() => {
          shown.value = 'shortcuts'
        }}
      />
      <Navigation current={view} />
      {!isDialogOpen.value && <Offline />}
      <main id="content" tabIndex={-1}>
        {view ? <Lazily key={view.path} load={view.load} props={{}} /> : <Unknown />}
      </main>
      {openTask.value !== undefined && <Lazily load={loadTask} props={{ id: openTask.value }} />}
      {!isDialogOpen.value && <Notices />}
      {shown.value === 'palette' && <Palette onClose={close} />}
      {shown.value === 'shortcuts' && <ShortcutsHelp onClose={close} />}
      {signInAgainRequest.value && <Lazily load={loadSignInAgain} props={{}} />}
    </div>
  )
}

function focusContent() {
  document.getElementById('content')?.focus()
}

const Unknown = () => (
  <>
    <h1>{words.views.unknown}</h1>
    <p>{words.views.unknownLead}</p>
  </>
)
