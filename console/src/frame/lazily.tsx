import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { isLive } from '../live/reachable.ts'
import { words } from '../words.ts'

const loaded = new Map<unknown, ComponentType<never>>()

interface Lazily<P> {
  /** must be the same function on each render for one component */
  load: () => Promise<{ default: ComponentType<P> }>
  props: P
}

/** Shows a component when its code is loaded, and an error when the code cannot be loaded. */
export function Lazily<P>({ load, props }: Lazily<P>) {
  const shown = useSignal(loaded.get(load) as ComponentType<P> | undefined)
  const failed = useSignal(false)
  const attempt = () => {
    failed.value = false
    load().then(
      (module) => {
        loaded.set(load, module.default as ComponentType<never>)
        shown.value = module.default
      },
      () => {
        failed.value = true
      },
    )
  }
  useEffect(() => {
    if (!shown.value) attempt()
  }, [])
  useSignalEffect(() => {
    if (isLive.value && failed.peek()) attempt()
  })
  const Component = shown.value as ComponentType<object> | undefined
  if (Component) return <Component {...(props as object)} />
  if (!failed.value)
    return (
      <p class="quiet loading" role="status">
        {words.frame.loading}
      </p>
    )
  return (
    <div class="failed" role="alert">
      <h1>{words.views.failed}</h1>
      <p>{words.frame.offline}</p>
      <button type="button" onClick={() => location.reload()}>
        {words.frame.retry}
      </button>
    </div>
  )
}
