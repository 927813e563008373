import type { FastifyInstance } from 'fastify'

const wellFormed = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/

/** A body is told by what it is: a Content-Type that is none, which the framework would refuse, says nothing. */
export function ignoreInvalidContentType(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    if (headers['content-type'] !== undefined && !wellFormed.test(headers['content-type'])) delete headers['content-type']
    done()
  })
}
