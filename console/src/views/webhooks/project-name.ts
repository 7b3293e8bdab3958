import { useLoaded } from '../../live/loaded.ts'
import { tw } from '../../session/session.ts'

/** What a project is called; undefined while that is not known, or when it is deleted. */
export function useProjectName(id: string | null): string | undefined {
  const { value } = useLoaded(id ?? '', async (signal) => {
    if (id === null) return undefined
    return (await tw().projects.get(id, { fields: ['name'] }, { signal })).name
  })
  return value.value
}
