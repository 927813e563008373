import type { FastifyRequest } from 'fastify'
import { Application } from '#oauth/applications/application.ts'
import type { EntityManager } from '#platform/database/database.ts'

const perPage = 50
const maxPage = 1000

export interface ApplicationPage {
  applications: Application[]
  page: number
  hasMore: boolean
}

/** One page, the newest first; applications that registered themselves come last. */
export async function listApplications(em: EntityManager, request: FastifyRequest, owner: number | null): Promise<ApplicationPage> {
  const page = Math.min(maxPage, Number(/^[1-9]\d{0,3}$/.exec((request.query as { page?: string }).page ?? '')?.[0] ?? 1))
  const order = { isDynamic: 'asc', id: 'desc' } as const
  const found = await em.find(Application, { owner }, { orderBy: order, limit: perPage + 1, offset: (page - 1) * perPage })

  return { applications: found.slice(0, perPage), page, hasMore: found.length > perPage }
}
