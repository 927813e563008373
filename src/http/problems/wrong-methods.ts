import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UnknownRoute, WrongMethod } from './problems.ts'

/** Tells what is not there from what is there by another method, and answers OPTIONS. Register it before the routes. */
export function answerOtherMethods(app: FastifyInstance) {
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

  // Only with a handler of its own do the hooks of this part see what no route takes; said before a body is read.
  app.setNotFoundHandler(answer)
  app.addHook('onRequest', async (request, reply) => (request.is404 ? answer(request, reply) : undefined))

  function methodsFor(path: string) {
    const sent = path.split('/')
    const methods = routes.filter(({ parts }) => takes(parts, sent)).flatMap(route => route.methods)

    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort()
  }
}

/** Whether the router takes an address: `:id` is any part, `*` the rest, and one more slash at the end does no harm. */
function takes(route: string[], path: string[]) {
  const surplus = path.length - route.length
  const fits = surplus === 0 || (surplus > 0 && route.at(-1) === '*') || (surplus === 1 && path.at(-1) === '')

  return fits && route.every((part, n) => part === '*' || (part.startsWith(':') ? path[n] !== '' : part === path[n]))
}
