/** An item that is already JSON text, as the server sends it. */
export class Prerendered<Item> {
  readonly text: string
  readonly id: string | undefined
  readonly version: number | undefined

  /** @param tag the parts of the ETag, if the item is a single resource */
  constructor(text: string, tag?: { id: string; version: number }) {
    this.text = text
    this.id = tag?.id
    this.version = tag?.version
  }

  get item(): Item {
    return JSON.parse(this.text) as Item
  }
}
