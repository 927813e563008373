import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#api/problems/problems.ts'
import { toProblem } from '#api/problems/render-problems.ts'

const drainMs = 60_000

/** A sentence that git shows to the user after `remote:`. */
export class GitRefusal extends Problem {}

/** Git shows the body of an error only as plain text. */
export function renderRefusals(app: FastifyInstance) {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error as FastifyError, request)

    drain(request)
    reply.code(problem.status).headers(problem.headers)
    if (problem.status === 401) reply.header('www-authenticate', 'Basic realm="Tocsin", charset="UTF-8"')

    return reply.type('text/plain; charset=utf-8').send(`${sentenceOf(problem)}\n`)
  })
}

/** A client reads the answer when it has sent its whole body; without this it would get a reset. */
function drain({ raw }: FastifyRequest) {
  if (raw.complete || raw.destroyed) return
  const timer = setTimeout(() => raw.destroy(), drainMs)

  raw.once('close', () => clearTimeout(timer)).resume()
}

function sentenceOf(problem: Problem) {
  const { body } = problem

  return typeof body === 'object' && body.error_description ? String(body.error_description) : problem.summary()
}
