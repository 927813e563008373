import type { Viewer } from '#identity/viewer.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Rows } from '#platform/database/list.ts'
import type { Project } from '#projects/project.ts'

/** A text, and where a caller searches for it: everywhere, in a group with its descendants, or in a project. */
export interface Search {
  em: EntityManager
  viewer: Viewer
  text: string
  group?: Namespace
  project?: Project
  state?: 'opened' | 'closed'
  isConfidential?: boolean
  sort?: 'asc' | 'desc'
  includesArchived: boolean
  baseUrl: string
}

/** Finds rows as clients receive them. */
export type SearchScope = (search: Search) => Promise<Rows<object>>

declare module '#platform/extra.ts' {
  interface Extra {
    searchScopes?: Record<string, SearchScope>
  }
}
