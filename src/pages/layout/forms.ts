import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isCsrfToken } from '../../http/guards/csrf.ts'
import { Forbidden } from '../../http/problems/problems.ts'
import { readSession } from '../sign-in/session-cookie.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Nobody is signed in yet, or somebody else: there is no secret that this form could show. */
    isBeforeSession?: true
  }
}

type Fields = Record<string, string | string[] | undefined>

/** Takes in what pages send. A cookie alone moves nothing: the form must come from a page of ours. */
export const forms = fp(async (app: FastifyInstance) => {
  await app.register(formbody)

  app.addHook('preHandler', async request => {
    const { method, body, routeOptions } = request

    if (method === 'GET' || method === 'HEAD' || !readSession(request) || routeOptions.config.isBeforeSession) return
    if (!isCsrfToken(request, (body as Fields | undefined)?.csrf_token)) throw new StaleForm()
  })
})

export class StaleForm extends Forbidden {
  constructor() {
    super('This form is no longer valid. Go back, load its page again and repeat what you did')
  }
}

/** One value of a form, as text that can be stored; nothing is empty text. */
export function textOf({ body }: FastifyRequest, name: string) {
  const given = (body as Fields | undefined)?.[name]

  return ((Array.isArray(given) ? given[0] : given) ?? '').replaceAll('\0', '')
}

/** The boxes of a form that were checked. */
export function chosenOf({ body }: FastifyRequest, name: string) {
  const given = (body as Fields | undefined)?.[name]

  return given === undefined ? [] : Array.isArray(given) ? given : [given]
}
