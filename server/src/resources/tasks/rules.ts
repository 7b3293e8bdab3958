import { badRequest, refused } from '../../contract/errors.ts'

/**
 * The stage a task lands in when it enters a workspace: the one asked for, else the first.
 * @param stageIds the workspace's stages, in board order
 * @throws 400 when `wanted` stands in another workspace; 412 when the workspace has no stages
 */
export function initialStage(stageIds: readonly string[], wanted: string | undefined): string {
  if (wanted !== undefined && !stageIds.includes(wanted)) throw foreignStage()
  const [first] = stageIds
  if (first === undefined) throw refused('The workspace has no stages; add one first', 'workspace_has_no_stages')
  return wanted ?? first
}

export const foreignStage = () => badRequest('The stage belongs to a different workspace', 'stage_of_other_workspace')
