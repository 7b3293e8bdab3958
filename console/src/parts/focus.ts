/**
 * Notes what has the focus, before something that takes a while.
 * @returns whether it may be given to what comes of that: whoever went on meanwhile keeps it
 */
export function noteFocus(): () => boolean {
  const before = document.activeElement
  return () => document.activeElement === before || document.activeElement === document.body
}
