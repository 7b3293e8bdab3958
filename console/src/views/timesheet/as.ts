import type { HTMLAttributes } from 'preact'

type Role = 'grid' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'gridcell'

/** What a part of the grid is: it is laid out by CSS, which takes their meaning from the parts of a table. */
export const as = (role: Role, more: HTMLAttributes<HTMLDivElement> = {}) => ({ role, ...more })
