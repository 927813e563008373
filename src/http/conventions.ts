import type { FastifyInstance } from 'fastify'
import { answerConditionally } from './conditional-requests.ts'
import { welcomeOrigins } from './cors.ts'
import { rememberCrowded } from './pagination/crowded.ts'
import { readParameters } from './parameters/read-parameters.ts'
import { compileValidator } from './parameters/validation.ts'
import { answerOtherMethods } from './problems/wrong-methods.ts'

/** What holds for every route of the REST API. Call it before the routes are registered. */
export async function conventions(app: FastifyInstance) {
  app.setValidatorCompiler(compileValidator)
  welcomeOrigins(app)
  rememberCrowded(app)
  answerOtherMethods(app)
  await readParameters(app)
  answerConditionally(app)
}
