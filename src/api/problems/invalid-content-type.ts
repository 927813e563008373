import type { FastifyInstance } from 'fastify'

/** Fastify answers 415 to an empty or malformed Content-Type. Intakes detect the body by its content anyway. */
export function ignoreInvalidContentType(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const type = headers['content-type']

    if (type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/.test(type)) delete headers['content-type']
    done()
  })
}
