import type { FastifyPluginAsync } from 'fastify'
import type { Entities, EntityManager } from './database/database.ts'
import type { Handler, JobSettings } from './queue/handler.ts'
import type { Scheduled } from './queue/schedule.ts'

/** A part of the product that an installation can do without. The core imports none. */
export interface Extra {
  name: string
  entities?: NonNullable<Entities>
  /** Of the REST API. */
  routes?: FastifyPluginAsync
  pages?: FastifyPluginAsync
  /** Outside of the REST API and the pages. */
  endpoints?: FastifyPluginAsync
  /** By queue. */
  jobs?: Record<string, Handler[]>
  schedule?: Scheduled[]
  /** Run every hour. */
  cleanups?: ((em: EntityManager, config: JobSettings, at: Date) => Promise<unknown>)[]
  /** Shown beside the files of a project, below its path. */
  projectLinks?: { label: string; path: string }[]
}
