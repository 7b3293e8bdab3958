import { underWay } from '../act/act.ts'
import { isLive } from '../live/reachable.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { go, hrefOf } from '../router/router.ts'
import { serverUrl } from '../router/server-url.ts'
import { account, switchTo } from '../session/person.ts'
import { me, session } from '../session/session.ts'
import { signOut } from '../session/start.ts'
import { words } from '../words.ts'
import { MenuButton } from './navigation.tsx'
import { RunningTimer } from './running-timer.tsx'
import { chooseTheme, theme, themes } from './theme.ts'
import type { View } from './views.ts'

interface TopProps {
  current: Pick<View, 'path' | 'name'> | undefined
  onCommands: () => void
  onShortcuts: () => void
}

/** The bar above every view: running timer, progress, commands and the signed-in member. */
export function Top({ current, onCommands, onShortcuts }: TopProps) {
  const { member, organization } = me()
  const whose = words.session.as(member.name, organization.name)
  return (
    <header class="top">
      <MenuButton current={current} />
      <span class="wordmark">{words.name}</span>
      <span class="spacer" />
      <RunningTimer />
      <Connection />
      <button type="button" class="commands" onClick={onCommands} title={words.frame.commandsHint}>
        {words.frame.commands} <kbd>Ctrl K</kbd>
      </button>
      <Menu
        label={whose}
        class="account"
        items={() => [
          ...organizationItems(),
          ...themes.map((each) => ({
            ...{ label: words.frame.themes[each], isChecked: theme.value === each, run: () => chooseTheme(each) },
          })),
          { label: words.shortcuts.title, run: onShortcuts },
          { label: words.frame.docs, run: () => location.assign(new URL('docs', serverUrl)) },
          ...(session.value?.by === 'session'
            ? [{ label: words.views.account, run: () => go(hrefOf('/account')) }]
            : []),
          { label: words.session.out, run: signOut },
        ]}
      >
        <Avatar id={member.id} name={member.name} />
        <span class="whose">{whose}</span>
      </Menu>
    </header>
  )
}

/** Switches to the person's other organizations. */
function organizationItems(): MenuItem[] {
  const here = me().organization.id
  const others = (account.value?.organizations ?? []).filter(({ id }) => id !== here)
  return others.map(({ id, name }) => ({ label: words.session.switchTo(name), run: () => switchTo(id) }))
}

/** Shows whether a write is in progress, and whether live updates work. */
function Connection() {
  const text = underWay.value > 0 ? words.frame.underWay : isLive.value ? words.frame.live : words.frame.notLive
  return (
    <span class={`connection ${underWay.value > 0 ? 'busy' : isLive.value ? 'live' : ''}`} role="status">
      {text}
    </span>
  )
}
