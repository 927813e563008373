import type { Viewer } from '#identity/viewer.ts'
import { isVisibleToNonMembers } from '../visibility/is-visible-to-non-members.ts'
import type { GroupShareRow } from './group-share.ts'

/** Only members learn about groups that non-members cannot see. */
export function presentShares(shares: GroupShareRow[], viewer: Viewer | undefined, isMember: boolean) {
  return shares.filter(({ visibility }) => isMember || isVisibleToNonMembers(viewer, visibility)).map(({ visibility, ...share }) => share)
}
