import { useSignal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { hrefOf } from '../router/router.ts'
import { words } from '../words.ts'
import { type View, views } from './views.ts'

interface Current {
  current: Pick<View, 'path' | 'name'> | undefined
}

/** Links to all views, for wide screens. */
export const Navigation = ({ current }: Current) => (
  <nav class="views" aria-label={words.frame.navigation}>
    <Links current={current} />
  </nav>
)

/** A menu with the same links, for narrow screens. */
export function MenuButton({ current }: Current) {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        class="icon menu-button"
        aria-label={words.frame.open}
        onClick={() => {
          isOpen.value = true
        }}
      >
        ☰
      </button>
      {isOpen.value && (
        <Dialog title={words.frame.navigation} onClose={close} kind="side">
          <nav aria-label={words.frame.navigation} onClickCapture={() => queueMicrotask(close)}>
            <Links current={current} />
          </nav>
        </Dialog>
      )}
    </>
  )
}

const Links = ({ current }: Current) => (
  <ul>
    {views.map((view) => (
      <li key={view.path}>
        <a href={hrefOf(view.path)} {...(view.path === current?.path && { 'aria-current': 'page' as const })}>
          {view.name}
        </a>
      </li>
    ))}
  </ul>
)
