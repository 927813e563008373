import type { FastifyInstance } from 'fastify'
import { Moved } from '#api/problems/moved.ts'
import { NotFound } from '#api/problems/problems.ts'

/** A resource was requested by a former path. Without `redirectFormerPaths` this is a plain 404. */
export class FormerPath extends NotFound {
  from: string
  to: number

  constructor(resource: string, { from, to }: { from: string; to: number }) {
    super(resource)
    this.from = from
    this.to = to
  }
}

export function redirectFormerPaths(app: FastifyInstance) {
  app.setErrorHandler((error, request) => {
    throw error instanceof FormerPath ? new Moved(request, error) : error
  })
}
