/** An item as the text that it is sent as. */
export class Prerendered<Item> {
  readonly text: string
  readonly version: number | undefined

  constructor(text: string, version?: number) {
    this.text = text
    this.version = version
  }

  get item(): Item {
    return JSON.parse(this.text) as Item
  }
}
