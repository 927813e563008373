import type { Viewer } from '#identity/viewer.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
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

/** Rows as clients receive them. */
export interface Results {
  list: (limit: number, offset: number) => Promise<object[]>
  count: (max: number) => Promise<number>
}

export type SearchScope = (search: Search) => Promise<Results>

declare module '#platform/extra.ts' {
  interface Extra {
    searchScopes?: Record<string, SearchScope>
  }
}

/** Presents the rows of a list, a page at a time. */
export function presented<Row>(
  { list, count }: { list: (limit: number, offset: number) => Promise<Row[]>; count: (max: number) => Promise<number> },
  present: (rows: Row[]) => object[] | Promise<object[]>
): Results {
  return { list: async (limit, offset) => present(await list(limit, offset)), count }
}
