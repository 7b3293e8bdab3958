const gapPx = 4

/**
 * Places a popover below its button, or above it if there is more room. Code must do this, because the top layer does not know
 * the button.
 * @param wantedPx the height, if it will differ from the current one
 */
export function placeBeside(popover: HTMLElement, button: HTMLElement, wantedPx = popover.offsetHeight): void {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const { offsetWidth } = popover
  const roomBelow = innerHeight - bottom - 2 * gapPx
  const roomAbove = top - 2 * gapPx
  const isBelow = roomBelow >= Math.min(wantedPx, roomAbove)
  const start = left + offsetWidth <= innerWidth ? left : right - offsetWidth
  popover.style.left = `${Math.max(gapPx, start)}px`
  popover.style.top = isBelow ? `${bottom + gapPx}px` : 'auto'
  popover.style.bottom = isBelow ? 'auto' : `${innerHeight - top + gapPx}px`
  popover.style.maxHeight = `${Math.max(isBelow ? roomBelow : roomAbove, 0)}px`
}
