/** A member as two letters in a color of their own. The surrounding text or `title` gives the name to screen readers. */
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

// ids made at the same time start alike and end at random
const hueOf = (id: string) => Number.parseInt(id.slice(-4), 16) % hues || 0
