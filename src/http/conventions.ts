import type { FastifyInstance } from 'fastify'
import { conditionalGet } from './conditional-requests.ts'
import { allowAllOrigins } from './cors.ts'
import { readParameters } from './parameters/read-parameters.ts'
import { compileValidator } from './parameters/validation.ts'
import { rejectWrongMethods } from './problems/wrong-methods.ts'

/** Behaviour of every REST route. Register it before the routes. */
export async function conventions(app: FastifyInstance) {
  app.setValidatorCompiler(compileValidator)
  allowAllOrigins(app)
  rejectWrongMethods(app)
  await readParameters(app)
  conditionalGet(app)
}
