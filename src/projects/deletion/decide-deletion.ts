import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { formerPaths } from './mark.ts'

export interface Marked {
  id: number
  path: string
  fullPath: string
  markedForDeletionAt?: Date | null
}

export interface DeletionWish {
  /** At once. Needs `fullPath` to confirm. */
  isPermanent?: boolean
  fullPath?: string
}

/** Days from the mark to the deletion; 0 without marks. */
export async function readDeletionPeriod(em: EntityManager) {
  return (await readInstanceSettings(em)).deletionAdjournedPeriod
}

/** Without a period everything is deleted at once. Otherwise a deletion marks, and a permanent one deletes what is marked. */
export function decideDeletion(noun: 'project' | 'group', marked: Marked, periodDays: number, { isPermanent, fullPath }: DeletionWish) {
  if (isPermanent && fullPath !== marked.fullPath && fullPath !== formerPaths(marked).fullPath) {
    throw new Rejected(`\`full_path\` is incorrect. You must enter the complete path for the ${noun}`)
  }
  if (periodDays === 0) return 'delete'
  if (!isPermanent) return 'mark'
  checkMarked(noun, marked, 'must be marked for deletion first.')

  return 'delete-marked'
}

export function checkMarked(noun: 'project' | 'group', { markedForDeletionAt: at }: Marked, reason = 'has not been marked for deletion') {
  if (!at) throw new DeletionRefused(noun, reason)
}

export function checkUnmarked(noun: 'project' | 'group', { markedForDeletionAt: at }: Marked) {
  if (at) throw new DeletionRefused(noun, 'has been already marked for deletion')
}

/** In GitLab's words. */
export class DeletionRefused extends Rejected {
  override code = 'deletion_refused'
  override isSentence = true

  constructor(noun: 'project' | 'group', reason: string) {
    super(`${noun === 'project' ? 'Project' : 'Group'} ${reason}`)
  }
}
