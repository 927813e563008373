import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UnknownRoute, WrongMethod } from './problems.ts'

/** Tells what is not there from what is there by another method, and answers OPTIONS. Register it before the routes. */
export function answerOtherMethods(app: FastifyInstance) {
  const routes: { pattern: RegExp; methods: string[] }[] = []

  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ pattern: toPattern(url), methods: [method].flat() })
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
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap(route => route.methods)

    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort()
  }
}

/** Matches the addresses that the router would, as they are sent. */
function toPattern(url: string) {
  const parts = url.split(/(:\w+(?:\([^)]*\))?|\*)/).map((part, n) => {
    if (n % 2 === 0) return RegExp.escape(part)

    return part === '*' ? '.*' : '[^/]+'
  })

  return new RegExp(`^${parts.join('')}/?$`)
}
