import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { toDay } from '#lib/time.ts'

/** Filters of projects and groups. */
export const deletionFilters = {
  active: Type.Optional(Type.Boolean({ description: 'Only those neither archived nor marked for deletion; `false` for the others.' })),
  marked_for_deletion_on: Type.Optional(Time('The date when it was marked for deletion (UTC).'))
}

export function readDeletionFilters(query: { active?: boolean; marked_for_deletion_on?: string }) {
  return { isActive: query.active, markedOn: toDay(query.marked_for_deletion_on) ?? undefined }
}
