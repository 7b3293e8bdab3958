import { Dialog } from '../parts/dialog.tsx'
import { words } from '../words.ts'
import { commandGroups, offered } from './shortcuts.ts'

/** Lists all shortcuts of the current view. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const groups = commandGroups.value
    .map(({ title, commands }) => ({ title, commands: offered(commands).filter(({ keys }) => keys !== undefined) }))
    .filter(({ commands }) => commands.length > 0)
  return (
    <Dialog title={words.shortcuts.title} onClose={onClose} kind="wide">
      <div class="shortcuts">
        {groups.map(({ title, commands }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {commands.map(({ label, keys = '' }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** Key names, drawn like the keys of a keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <>
      {keys.split(' ').map((stroke, place) => (
        <span key={stroke}>
          {place > 0 && <span class="quiet"> {words.shortcuts.andThen} </span>}
          {stroke.split('+').map((key) => (
            <kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
          ))}
        </span>
      ))}
    </>
  )
}
