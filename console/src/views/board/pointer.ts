import { type Signal, signal } from '@preact/signals'
import { whyNotMove } from './card-actions.ts'
import type { Desk } from './desk.ts'

/** The position of the dragging pointer, and its offset in the card (px). */
interface Carrying {
  x: number
  y: number
  offsetX: number
  offsetY: number
  width: number
}

export const carrying: Signal<Carrying | undefined> = signal(undefined)

// a finger that rests this long lifts the card; one that moves earlier scrolls
const holdMs = 300
// px from an edge at which dragging scrolls, and px per frame
const edge = 48
const stride = 14

/** Drags cards by mouse, pen and finger. @returns stops listening */
export function followPointer(root: HTMLElement, desk: Desk, rowHeight: () => number): () => void {
  let ends: (() => void)[] = []
  const end = () => {
    for (const each of ends) each()
    ends = []
    carrying.value = undefined
  }
  const isLifted = () => desk.moving.peek().is === 'lifted'

  const pressed = (event: PointerEvent) => {
    const target = event.target instanceof Element ? event.target : null
    const card = target?.closest<HTMLElement>('[data-card]')
    if (!card || !target || target.closest('button, [popover]') || event.button !== 0 || !event.isPrimary) return
    const taskId = card.dataset.card ?? ''
    if (whyNotMove(desk, taskId) !== undefined) return
    end()
    const isTouch = event.pointerType === 'touch'
    const { left, top, width } = card.getBoundingClientRect()
    let at = { x: event.clientX, y: event.clientY }
    const { x, y } = at
    const held = { offsetX: x - left, offsetY: y - top, width }
    desk.does({ does: 'press', taskId, x, y, isTouch })

    const look = () => {
      if (!isLifted() || carrying.peek() !== undefined) return
      carrying.value = { ...held, ...at }
      root.setPointerCapture(event.pointerId)
      let frame = requestAnimationFrame(function step() {
        scrollAtEdges(root, at)
        aim(root, desk, at, rowHeight())
        frame = requestAnimationFrame(step)
      })
      ends.push(() => cancelAnimationFrame(frame))
    }
    const moved = (move: PointerEvent) => {
      if (move.pointerId !== event.pointerId) return
      at = { x: move.clientX, y: move.clientY }
      desk.does({ does: 'drag', ...at })
      if (desk.moving.peek().is === 'resting') return end()
      look()
      if (isLifted()) carrying.value = { ...held, ...at }
    }
    const released = (up: PointerEvent) => {
      if (up.pointerId !== event.pointerId) return
      if (isLifted()) {
        aim(root, desk, { x: up.clientX, y: up.clientY }, rowHeight())
        swallowClick()
        // focus the dropped card, so that keys continue from there
        desk.wanted.value = taskId
      }
      desk.does({ does: 'drop' })
      end()
    }
    const givenBack = () => {
      desk.does({ does: 'give back' })
      end()
    }
    const keyed = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || !isLifted()) return
      key.preventDefault()
      key.stopPropagation()
      swallowClick()
      givenBack()
    }
    listen(window, 'pointermove', moved)
    listen(window, 'pointerup', released)
    listen(window, 'pointercancel', givenBack)
    listen(window, 'keydown', keyed, { capture: true })
    // if a column no longer draws the card, its touch events go only to the detached element
    listen(target, 'touchmove', stay, { passive: false })
    listen(window, 'contextmenu', (menu) => (isTouch || isLifted()) && menu.preventDefault())
    if (isTouch) {
      const timer = setTimeout(() => {
        desk.does({ does: 'hold' })
        look()
      }, holdMs)
      ends.push(() => clearTimeout(timer))
    }
  }
  // prevents scrolling while a finger drags; a browser needs this listener before the finger is down
  const stay = (touch: TouchEvent) => {
    if (isLifted() && touch.cancelable) touch.preventDefault()
  }
  root.addEventListener('pointerdown', pressed)
  root.addEventListener('touchmove', stay, { passive: false })
  return () => {
    root.removeEventListener('pointerdown', pressed)
    root.removeEventListener('touchmove', stay)
    end()
  }

  function listen<K extends keyof WindowEventMap>(
    on: EventTarget,
    type: K,
    listener: (event: WindowEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) {
    on.addEventListener(type, listener as EventListener, options)
    ends.push(() => on.removeEventListener(type, listener as EventListener, options))
  }
}

/** Ignores the click that a drop on a link causes. */
function swallowClick() {
  const swallow = (click: Event) => {
    click.preventDefault()
    click.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}

interface Point {
  x: number
  y: number
}

/** Points at the row below the pointer, in the nearest column. */
function aim(root: HTMLElement, desk: Desk, { x, y }: Point, rowHeight: number) {
  const away = (column: Element) => {
    const { left, right } = column.getBoundingClientRect()
    return Math.max(left - x, x - right, 0)
  }
  const nearest = columnsOf(root).sort((one, other) => away(one) - away(other))[0]
  const list = nearest?.querySelector('.board-cards')
  if (!nearest || !list) return
  const index = Math.floor((y - list.getBoundingClientRect().top + list.scrollTop) / rowHeight)
  const now = desk.moving.peek()
  const stageId = nearest.dataset.stage ?? ''
  if (now.is === 'lifted' && (now.to.stageId !== stageId || now.to.index !== index))
    desk.does({ does: 'aim', stageId, index })
}

const columnsOf = (root: HTMLElement) => [...root.querySelectorAll<HTMLElement>('[data-stage]')]

function scrollAtEdges(root: HTMLElement, { x, y }: Point) {
  const board = root.getBoundingClientRect()
  if (x < board.left + edge) root.scrollLeft -= stride
  else if (x > board.right - edge) root.scrollLeft += stride
  for (const column of columnsOf(root)) {
    const list = column.querySelector('.board-cards')
    const { left, right } = column.getBoundingClientRect()
    if (!list || x < left || x > right) continue
    const { top, bottom } = list.getBoundingClientRect()
    if (y < top + edge) list.scrollTop -= stride
    else if (y > bottom - edge) list.scrollTop += stride
  }
}
