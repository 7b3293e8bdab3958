/** A member as two letters in a colour of their own; the name is said by what stands around it, or by `title`. */
export function Avatar({ id, name }: { id: string; name: string }) {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return (
    <span
      class={`avatar hue-${hueOf(id)}`}
      role="img"
      aria-label={name}
      title={name}
      data-letters={letters.join('').toLocaleUpperCase()}
    />
  )
}

const hues = 8

// ids of one moment begin alike and end by chance
const hueOf = (id: string) => Number.parseInt(id.slice(-4), 16) % hues || 0
