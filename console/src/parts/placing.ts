const gapPx = 4

/**
 * Places a popover beside the button that opened it: below, or above where there is more room. It stands in the top layer, which
 * knows nothing of the button. @param wantedPx its height, where that is not the one it has so far
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
