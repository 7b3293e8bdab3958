import { me } from '../../session/session.ts'

// each organization has boards of its own
const name = () => `taskwright.board.${me().organization.id}`

/** The board that was used last on this device. */
export function lastBoard(): string | undefined {
  try {
    return localStorage.getItem(name()) ?? undefined
  } catch {
    return undefined
  }
}

/** Remembers the board for the next time; undefined forgets it, as when it is gone. */
export function keepBoard(id: string | undefined): void {
  try {
    if (id === undefined) localStorage.removeItem(name())
    else localStorage.setItem(name(), id)
  } catch {
    // where storage is forbidden one begins with the first board
  }
}
