/** What may be typed next. */
export interface Candidate {
  text: string
  about?: string | undefined
}
