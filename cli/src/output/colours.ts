import type { Output, Terminal } from '../terminal.ts'

export type Colour = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan'

const codes: Record<Colour, readonly [number, number]> = {
  ...{ bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39], green: [32, 39], cyan: [36, 39] },
} as const

export type Paint = (colour: Colour | undefined, text: string) => string

/** Colors, if the terminal supports them and the user did not turn them off. @see https://no-color.org */
export function paintFor({ env }: Pick<Terminal, 'env'>, { isTerminal }: Output): Paint {
  if (!isTerminal || env.NO_COLOR || env.TERM === 'dumb') return (_, text) => text
  return (colour, text) => {
    if (colour === undefined || text === '') return text
    const [on, off] = codes[colour]
    return `\u001b[${on}m${text}\u001b[${off}m`
  }
}
