import type { FastifyRequest } from 'fastify'
import { ownPath } from '../redirect.ts'
import { requestUrl } from '../request-url.ts'
import { Problem } from './problems.ts'

/**
 * Redirects a GET of a former path to the same URL with the ID. Other methods are refused, because they may be meant
 * for a resource that has that path now.
 *
 *     const project = await findByFormerPath(em, request.params.id)
 *     if (project) throw new Moved(request, { from: request.params.id, to: project.id })
 */
export class Moved extends Problem {
  constructor(request: FastifyRequest, { from, to }: { from: string; to: number }) {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      super(405, { message: '405 Method Not Allowed' }, { allow: 'GET, HEAD' })
      return
    }
    const url = requestUrl(request)

    url.pathname = url.pathname
      .split('/')
      .map(part => (decodeURIComponent(part) === from ? to : part))
      .join('/')
    super(301, `This resource has been moved permanently to ${url.href}`, { location: ownPath(`${url.pathname}${url.search}`) })
  }
}
