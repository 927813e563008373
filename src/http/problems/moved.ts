import type { FastifyRequest } from 'fastify'
import { ownAddress } from '../guards/own-address.ts'
import { Problem } from './problems.ts'

/**
 * What was asked for by an old path lives on under another one. Reading is sent to the same address with the id in
 * the path's place; anything else is refused, for it may mean what lives at that path by now.
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
    const address = ownAddress(request)

    address.pathname = address.pathname
      .split('/')
      .map(part => (decodeURIComponent(part) === from ? to : part))
      .join('/')
    super(301, `This resource has been moved permanently to ${address.href}`, { location: `${address.pathname}${address.search}` })
  }
}
