import type { FastifyInstance } from 'fastify'

/** Parameters are called differently by routes that share them; the router knows one name. */
export function nameless(route: string) {
  return route.replace(/:\w+(\|:\w+)*/g, ':')
}

/** `METHOD path` of every route of the REST API. */
export function routesOf(app: FastifyInstance) {
  return allRoutesOf(app).filter(route => route.includes(' /api/v4') && !collector.test(route))
}

export function allRoutesOf(app: FastifyInstance) {
  return parseTree(app.printRoutes({ commonPrefix: false, includeHooks: false }))
}

/** Where SDKs with an older DSN send to: no part of the REST API, as a client key in the query or a header is what it asks for. */
const collector = / \/api\/v4\/error_tracking\/collector\/api\//

function parseTree(tree: string) {
  const stack: string[] = []

  return tree.split('\n').flatMap(line => {
    const [, indent = '', segment = '', methods = ''] = /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []

    stack.splice(indent.length / 4, stack.length, segment)
    const path = stack.join('').replace(/\/$/, '')

    return methods
      .split(', ')
      .filter(method => method && method !== 'HEAD' && method !== 'OPTIONS')
      .map(method => `${method} ${path}`)
  })
}
