import type { ComponentType } from 'preact'
import { words } from '../words.ts'

/** A view: its path, its name and the loader of its code. A view handles the paths below its own. */
export interface View {
  path: string
  name: string
  /** `g` and this letter open the view */
  letter: string
  load: () => Promise<{ default: ComponentType }>
}

/** The views, in the order of the navigation. */
export const views: readonly View[] = [
  { path: '/board', name: words.views.board, letter: 'b', load: () => import('../views/board/board.tsx') },
  { path: '/list', name: words.views.list, letter: 'l', load: () => import('../views/list/list.tsx') },
  { path: '/my-work', name: words.views.myWork, letter: 'm', load: () => import('../views/my-work/my-work.tsx') },
  {
    path: '/timesheet',
    name: words.views.timesheet,
    letter: 't',
    load: () => import('../views/timesheet/timesheet.tsx'),
  },
  { path: '/reports', name: words.views.reports, letter: 'r', load: () => import('../views/reports/reports.tsx') },
  { path: '/people', name: words.views.people, letter: 'p', load: () => import('../views/people/people.tsx') },
  { path: '/keys', name: words.views.keys, letter: 'k', load: () => import('../views/keys/keys.tsx') },
  { path: '/webhooks', name: words.views.webhooks, letter: 'w', load: () => import('../views/webhooks/webhooks.tsx') },
  { path: '/trash', name: words.views.trash, letter: 'x', load: () => import('../views/trash/trash.tsx') },
]

/** Pages of the account, which the navigation does not list. */
const others: readonly Omit<View, 'letter'>[] = [
  { path: '/account', name: words.views.account, load: () => import('../views/account/account.tsx') },
  { path: '/device', name: words.views.device, load: () => import('../views/device/device.tsx') },
]

/** The view of a path; `/` is the first view. */
export function viewOf(path: string): Omit<View, 'letter'> | undefined {
  if (path === '/') return views[0]
  return [...views, ...others].find((view) => path === view.path || path.startsWith(`${view.path}/`))
}
