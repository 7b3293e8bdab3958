/** Saves a text as a download. */
export function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  link.download = name
  link.click()
  // the download must start first
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
