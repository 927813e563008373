import type { FastifyPluginAsync } from 'fastify'
import type { Entities, EntityManager } from './database/database.ts'
import type { Handler, JobSettings } from './queue/handler.ts'
import type { Scheduled } from './queue/schedule.ts'

/** An optional part of the product. The core imports none of them. */
export interface Extra {
  name: string
  entities?: NonNullable<Entities>
  /** Routes of the REST API. */
  routes?: FastifyPluginAsync
  pages?: FastifyPluginAsync
  /** Other routes, outside the REST API and the pages. */
  endpoints?: FastifyPluginAsync
  /** Handlers by queue. */
  jobs?: Record<string, Handler[]>
  schedule?: Scheduled[]
  /** Run hourly. */
  cleanups?: ((em: EntityManager, config: JobSettings, at: Date) => Promise<unknown>)[]
  /** The page of a file at a commit, perhaps at a line, and that of a commit, in the project with this URL. */
  fileUrl?: (projectUrl: string, file: { commit: string; path: string; line?: number }) => string
  commitUrl?: (projectUrl: string, commit: string) => string
  /** Links to its pages. */
  links?: Partial<Record<LinkArea, Link[]>>
}

/** The code pages of a project, the settings of projects and groups, the admin area, and the user's menu. */
type LinkArea = 'code' | 'settings' | 'admin' | 'user'

export interface Link {
  name: string
  /** Relative to the URL of the project, of the group or of the admin area; in the user's menu, from the root. */
  path: string
  /** The role that its page requires, if not that of the area. */
  role?: number
}

export function linksOf(extras: Extra[], area: LinkArea) {
  return extras.flatMap(({ links }) => links?.[area] ?? [])
}
