import type { Viewer } from '#identity/viewer.ts'
import type { Visibility } from '#namespaces/namespace.ts'

export function isVisibleToNonMembers(viewer: Viewer | undefined, visibility: Visibility) {
  return visibility === 'public' || (visibility === 'internal' && viewer !== undefined && !viewer.isExternal)
}
