import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UnknownRoute, WrongMethod } from './problems.ts'

/** Answers 404 for unknown paths, 405 for wrong methods, and OPTIONS. Register it before the routes. */
export function rejectWrongMethods(app: FastifyInstance) {
  const routes: { parts: string[]; methods: string[] }[] = []
  const lastSegments = new Set<string>()

  app.addHook('onRoute', ({ url, method }) => {
    const parts = url.split('/')

    routes.push({ parts, methods: [method].flat() })
    lastSegments.add(parts.at(-1)!)
  })
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsFor(request.url.split('?')[0] ?? '')

    if (allowed.length === 0) throw new UnknownRoute()
    if (request.method !== 'OPTIONS') throw new WrongMethod(allowed)

    return reply.code(204).header('allow', allowed.join(', ')).send()
  }

  // A not-found handler makes this plugin's hooks run for unmatched requests; onRequest answers before the body is read.
  app.setNotFoundHandler(answer)
  app.addHook('onRequest', async (request, reply) => (request.is404 || isShadowed(request) ? answer(request, reply) : undefined))

  function methodsFor(path: string) {
    const methods = routesFor(path).flatMap(route => route.methods)

    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort()
  }

  /** The router falls back from `/members/all` to `/members/:user_id` when only that has the method. */
  function isShadowed({ method, url, routeOptions }: FastifyRequest) {
    const path = url.split('?')[0] ?? ''
    const segment = path.slice(path.lastIndexOf('/') + 1)

    return (
      lastSegments.has(segment) && /:\w+$/.test(routeOptions.url ?? '') && !routesFor(path).some(({ methods }) => methods.includes(method))
    )
  }

  /** The most specific routes of a path, whatever their methods. */
  function routesFor(path: string) {
    const found = routes.filter(({ parts }) => matches(parts, path.split('/')))
    const specific = found.filter(({ parts }) => !parts.at(-1)?.startsWith(':'))

    return specific.length > 0 ? specific : found
  }
}

/** Whether the router would match: `:id` is any segment, `*` the rest; a trailing slash is ignored. */
function matches(route: string[], path: string[]) {
  const extra = path.length - route.length
  const isSameLength = extra === 0 || (extra > 0 && route.at(-1) === '*') || (extra === 1 && path.at(-1) === '')

  return isSameLength && route.every((part, n) => part === '*' || (part.startsWith(':') ? path[n] !== '' : part === path[n]))
}
