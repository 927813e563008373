import type { FastifyInstance } from 'fastify'
import { Moved } from '../../http/problems/moved.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'

/** Something was asked for by a path it once had. Where nobody knows the request, it is simply not found. */
export class FormerPath extends NotFound {
  from: string
  to: number

  constructor(resource: string, { from, to }: { from: string; to: number }) {
    super(resource)
    this.from = from
    this.to = to
  }
}

/** Sends whoever asks by a former path to where the thing is now. */
export function followFormerPaths(app: FastifyInstance) {
  app.setErrorHandler((error, request) => {
    throw error instanceof FormerPath ? new Moved(request, error) : error
  })
}

/** What once had a path that nothing has now. */
export async function findByFormerPath(em: EntityManager, path: string, type: 'project' | 'group') {
  const [row] = await query<{ id: string }>(
    em,
    `SELECT ${type}_id AS id FROM redirects WHERE lower(full_path) = lower($1) AND ${type}_id IS NOT NULL`,
    [path]
  )

  return row && Number(row.id)
}
