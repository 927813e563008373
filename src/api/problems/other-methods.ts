import type { FastifyInstance } from 'fastify'

/** The methods of the routes that are added from now on, by path; `others` are answered elsewhere. */
export function collectMethods(app: FastifyInstance, ...others: string[]) {
  const methods = new Map<string, Set<string>>()

  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, new Set([...(methods.get(url) ?? others), ...[method].flat()]))
  })

  return methods
}

/** Adds routes for all other methods of these paths, which throw before the body is read. For plugins without a not-found handler of their own. */
export function refuseOtherMethods(app: FastifyInstance, methods: Map<string, Set<string>>, refusal: (allowed: string[]) => Error) {
  for (const [url, taken] of [...methods]) {
    const allowed = [...taken].sort()
    const onRequest = async () => {
      throw refusal(allowed)
    }

    app.route({ method: app.supportedMethods.filter(method => !taken.has(method)), url, onRequest, handler: onRequest })
  }
}
