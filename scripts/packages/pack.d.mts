/** What npm has packed. */
export interface Packed {
  name: string
  /** the workspace that it was made of */
  folder: string
  /** a path */
  file: string
  packedBytes: number
  unpackedBytes: number
  files: number
}

export const root: string
export const folder: string
export function pack(destination: string): Packed[]
