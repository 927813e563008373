import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requestUrl } from '../request-url.ts'

declare module 'fastify' {
  interface FastifyInstance {
    crowded: Crowded
  }
}

/** What changes the page that is shown and not what the list holds. */
const ofPages = ['page', 'per_page', 'order_by', 'sort']
const most = 1000
const rememberedMs = 60_000

/**
 * Lists that were found to have more rows than anybody counts, as somebody sees them. It takes as long to find that out
 * as to count so many: that much need not be done again for each of their pages.
 */
export class Crowded {
  #until = new Map<string, number>()

  has(request: FastifyRequest) {
    return (this.#until.get(keyOf(request)) ?? 0) > Date.now()
  }

  add(request: FastifyRequest) {
    const key = keyOf(request)

    this.#until.delete(key)
    this.#until.set(key, Date.now() + rememberedMs)
    if (this.#until.size > most) this.#until.delete(this.#until.keys().next().value!)
  }
}

export function rememberCrowded(app: FastifyInstance) {
  app.decorate('crowded', new Crowded())
}

function keyOf(request: FastifyRequest) {
  const { pathname, searchParams } = requestUrl(request)

  for (const name of ofPages) searchParams.delete(name)

  return `${request.caller?.user.id ?? ''} ${pathname}?${searchParams}`
}
