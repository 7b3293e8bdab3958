import type { ComponentChildren } from 'preact'
import type { Loaded } from '../live/loaded.ts'
import { words } from '../words.ts'
import { Failure } from './failure.tsx'

interface LoadingProps<T> {
  of: Loaded<T>
  children: (value: T) => ComponentChildren
}

/** Shows loaded data, or the loading state, or the error. */
export function Loading<T>({ of: { value, error, reload }, children }: LoadingProps<T>) {
  const now = value.value
  return (
    <>
      {error.value !== undefined && <Failure error={error.value} onRetry={reload} />}
      {now === undefined && error.value === undefined && (
        <p class="quiet" role="status">
          {words.frame.loading}
        </p>
      )}
      {now !== undefined && children(now)}
    </>
  )
}
