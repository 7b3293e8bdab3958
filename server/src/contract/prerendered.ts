/** An item as the text that it is sent as. */
export class Prerendered<Item> {
  readonly text: string
  readonly id: string | undefined
  readonly version: number | undefined

  /** @param tag of one resource: what its ETag is made of */
  constructor(text: string, tag?: { id: string; version: number }) {
    this.text = text
    this.id = tag?.id
    this.version = tag?.version
  }

  get item(): Item {
    return JSON.parse(this.text) as Item
  }
}
