import type { EventFilter } from '@taskwright/client'
import { type Noun, nouns, takesAll, typesOf, withNoun, withType } from './event-types.ts'
import { webhookWords } from './webhook-words.ts'

interface TypeChoiceProps {
  /** empty for all types */
  chosen: readonly EventFilter[]
  onChange: (chosen: EventFilter[]) => void
}

/** Chooses event types: all, all of a noun, or single ones. */
export function TypeChoice({ chosen, onChange }: TypeChoiceProps) {
  return (
    <fieldset class="webhook-types">
      <legend>{webhookWords.fields.types}</legend>
      <p class="quiet small">{webhookWords.typesHint}</p>
      <p role="status" class="small">
        {chosen.length === 0 ? webhookWords.allTypes : webhookWords.typesChosen(chosen)}
      </p>
      <div class="webhook-nouns">
        {nouns.map((noun) => (
          <NounChoice key={noun} {...{ noun, chosen, onChange }} />
        ))}
      </div>
    </fieldset>
  )
}

function NounChoice({ noun, chosen, onChange }: TypeChoiceProps & { noun: Noun }) {
  const isAll = takesAll(chosen, noun)
  return (
    <details>
      <summary>
        {webhookWords.nouns[noun]}
        {chosen.some((type) => type.startsWith(`${noun}.`)) && <span class="chip good">{webhookWords.chosen}</span>}
      </summary>
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ currentTarget: { checked } }) => onChange(withNoun(chosen, noun, checked))}
        />
        <span>
          {webhookWords.allOf} <code>{noun}.*</code>
        </span>
      </label>
      {typesOf(noun).map((type) => (
        <label key={type} class="check">
          <input
            type="checkbox"
            checked={isAll || chosen.includes(type)}
            onChange={({ currentTarget: { checked } }) => onChange(withType(chosen, type, checked))}
          />
          <code>{type}</code>
        </label>
      ))}
    </details>
  )
}
