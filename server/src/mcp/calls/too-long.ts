import { Refusal, wrongArguments } from './refusal.ts'
import { length } from './text.ts'

/** Refuses arguments that are longer than any operation takes, before anything reads them. @throws Refusal */
export function refuseTooLong(input: object): void {
  if (Object.keys(input).length > mostItems)
    throw new Refusal(`Give at most ${mostItems} arguments.`, 'validation_failed')
  const fieldErrors: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(input)) {
    const fault = faultOf(value, longest.get(name) ?? usualLongest)
    if (fault !== undefined) fieldErrors[name] = [fault]
  }
  if (Object.keys(fieldErrors).length === 0) return
  throw new Refusal(wrongArguments({ formErrors: [], fieldErrors }), 'validation_failed')
}

function faultOf(value: unknown, most: number): string | undefined {
  if (Array.isArray(value) && value.length > mostItems) return `Must have at most ${mostItems} items`
  const isLonger = [value].flat().some((text) => typeof text === 'string' && isLongerThan(most, text))
  return isLonger ? `Must have at most ${most} characters` : undefined
}

/** A character is one or two units of UTF-16. */
const isLongerThan = (most: number, text: string): boolean =>
  text.length > most && (text.length > 2 * most || length(text) > most)

const longest: ReadonlyMap<string, number> = new Map([
  ['description', 50_000],
  ['body', 20_000],
])
const usualLongest = 255
const mostItems = 100
