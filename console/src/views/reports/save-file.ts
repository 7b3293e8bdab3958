/** Saves text as a file where the browser puts downloads. */
export function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  link.download = name
  link.click()
  // once the download has begun
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
