import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UnknownRoute, WrongMethod } from './problems.ts'

/** Answers 404 for unknown paths, 405 for wrong methods, and OPTIONS. Register it before the routes. */
export function rejectWrongMethods(app: FastifyInstance) {
  const routes: { parts: string[]; methods: string[] }[] = []

  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ parts: url.split('/'), methods: [method].flat() })
  })
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsFor(request.url.split('?')[0] ?? '')

    if (allowed.length === 0) throw new UnknownRoute()
    if (request.method !== 'OPTIONS') throw new WrongMethod(allowed)

    return reply.code(204).header('allow', allowed.join(', ')).send()
  }

  // A not-found handler makes this plugin's hooks run for unmatched requests; onRequest answers before the body is read.
  app.setNotFoundHandler(answer)
  app.addHook('onRequest', async (request, reply) => (request.is404 ? answer(request, reply) : undefined))

  function methodsFor(path: string) {
    const sent = path.split('/')
    const methods = routes.filter(({ parts }) => matches(parts, sent)).flatMap(route => route.methods)

    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort()
  }
}

/** Whether the router would match: `:id` is any segment, `*` the rest; a trailing slash is ignored. */
function matches(route: string[], path: string[]) {
  const extra = path.length - route.length
  const isSameLength = extra === 0 || (extra > 0 && route.at(-1) === '*') || (extra === 1 && path.at(-1) === '')

  return isSameLength && route.every((part, n) => part === '*' || (part.startsWith(':') ? path[n] !== '' : part === path[n]))
}
