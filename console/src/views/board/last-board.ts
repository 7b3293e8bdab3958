import { keep, read } from '../../act/storage.ts'
import { me } from '../../session/session.ts'

// each organization has boards of its own
const name = () => `taskwright.board.${me().organization.id}`

/** The board that was used last on this device. */
export const lastBoard = (): string | undefined => read('device', name())

/** Remembers the board for the next time; undefined forgets it, as when it is gone. */
export const keepBoard = (id: string | undefined): void => keep('device', name(), id)
