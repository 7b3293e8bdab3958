import type { HTMLAttributes } from 'preact'

type Role = 'grid' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'gridcell'

/** The ARIA role of an element in the grid, because a CSS grid has no table semantics. */
export const as = (role: Role, more: HTMLAttributes<HTMLDivElement> = {}) => ({ role, ...more })
