import { keep, read } from '../../act/storage.ts'
import { me } from '../../session/session.ts'

// each organization has its own boards
const name = () => `taskwright.board.${me().organization.id}`

/** The last used board on this device. */
export const lastBoard = (): string | undefined => read('device', name())

/** Remembers a board; undefined forgets it, for example when it was deleted. */
export const keepBoard = (id: string | undefined): void => keep('device', name(), id)
