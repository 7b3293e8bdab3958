import { useLoaded } from '../../live/loaded.ts'
import { tw } from '../../session/session.ts'

/** The name of a project; undefined while it loads, or if the project is deleted. */
export function useProjectName(id: string | null): string | undefined {
  const { value } = useLoaded(id ?? '', async (signal) => {
    if (id === null) return undefined
    return (await tw().projects.get(id, { fields: ['name'] }, { signal })).name
  })
  return value.value
}
