import type { FastifyInstance } from 'fastify'
import { conditionalGet } from './conditional-requests.ts'
import { allowAllOrigins } from './cors.ts'
import { guardByRole } from './guards/guard-by-role.ts'
import { readParameters } from './parameters/read-parameters.ts'
import { compileValidator } from './parameters/validation.ts'
import { rejectWrongMethods } from './problems/wrong-methods.ts'

/** Behaviour of every REST route. Register it before the routes. */
export async function conventions(app: FastifyInstance) {
  app.setValidatorCompiler(compileValidator)
  guardByRole(app)
  allowAllOrigins(app)
  rejectWrongMethods(app)
  await readParameters(app)
  conditionalGet(app)
  // RFC 8259 defines no charset for JSON, and clients of GitLab compare the header.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') reply.header('content-type', 'application/json')
  })
}
