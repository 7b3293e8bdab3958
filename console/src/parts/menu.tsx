import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { placeBeside } from './placing.ts'

/** An item of a menu. */
export interface MenuItem {
  label: string
  run: () => void
  /** shown instead of running it */
  isDisabled?: boolean
  isChecked?: boolean
  isDangerous?: boolean
}

interface MenuProps {
  /** the button's text, or its accessible name if it has `children` */
  label: string
  /** a function saves work when a page has many menus: it runs when the menu opens */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
  children?: ComponentChildren
  class?: string
  tabIndex?: number
}

/** A button with a menu. Arrow keys, Home, End and Escape follow the WAI-ARIA menu button pattern. */
export function Menu({ label, items, children, class: classes = '', tabIndex = 0 }: MenuProps) {
  const id = useId()
  // a closed menu is not rendered
  const isOpen = useSignal(false)
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const lines = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const focus = (at: number) =>
    lines()
      .at(at % Math.max(1, lines().length))
      ?.focus()
  const keys: Record<string, (at: number) => void> = {
    ArrowDown: (at) => focus(at + 1),
    ArrowUp: (at) => focus(at - 1),
    Home: () => focus(0),
    End: () => focus(-1),
    Tab: () => list.current?.hidePopover(),
  }
  // a layout effect, so that the first item has the focus before the next key press
  useLayoutEffect(() => {
    const [first] = lines()
    if (first) first.autofocus = true
  }, [isOpen.value])
  const opened = ({ newState }: { newState: string }) => {
    button.current?.setAttribute('aria-expanded', String(newState === 'open'))
    isOpen.value = newState === 'open'
    if (isOpen.value && list.current && button.current) placeBeside(list.current, button.current)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={classes}
        tabIndex={tabIndex}
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded={false}
        {...(children !== undefined && { 'aria-label': label })}
      >
        {children ?? label}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        aria-label={label}
        onBeforeToggle={({ newState }) => {
          // render the items before the menu opens, so that they can take the focus; remove them after it gave the focus back
          if (newState === 'open') isOpen.value = true
        }}
        onToggle={opened}
        onKeyDown={(event) => {
          const move = keys[event.key]
          if (!move) return
          if (event.key !== 'Tab') event.preventDefault()
          event.stopPropagation()
          move(lines().indexOf(document.activeElement as HTMLElement))
        }}
      >
        {(isOpen.value ? linesOf(items) : []).map(({ label, run, isDisabled = false, isChecked, isDangerous }) => (
          <button
            key={label}
            type="button"
            role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
            {...(isChecked !== undefined && { 'aria-checked': isChecked })}
            aria-disabled={isDisabled}
            class={isDangerous ? 'dangerous' : ''}
            tabIndex={-1}
            onClick={() => {
              if (isDisabled) return
              list.current?.hidePopover()
              button.current?.focus()
              run()
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  )
}

const linesOf = (items: MenuProps['items']) => (typeof items === 'function' ? items() : items)
