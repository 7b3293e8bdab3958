/**
 * Notes the focused element before a slow step.
 * @returns whether the code may move the focus afterwards: not if the user moved it meanwhile
 */
export function noteFocus(): () => boolean {
  const before = document.activeElement
  return () => document.activeElement === before || document.activeElement === document.body
}
