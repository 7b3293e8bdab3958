/** A suggestion for the next word. */
export interface Candidate {
  text: string
  about?: string | undefined
}
