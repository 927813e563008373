import type { FastifyInstance } from 'fastify'
import { answerConditionally } from './conditional.ts'
import { welcomeOrigins } from './cors.ts'
import { rememberCrowded } from './crowded.ts'
import { answerOtherMethods } from './methods.ts'
import { readParameters } from './params.ts'
import { compileValidator } from './validation.ts'

/** What holds for every route of the REST API. Call it before the routes are registered. */
export async function conventions(app: FastifyInstance) {
  app.setValidatorCompiler(compileValidator)
  welcomeOrigins(app)
  rememberCrowded(app)
  answerOtherMethods(app)
  await readParameters(app)
  answerConditionally(app)
}
