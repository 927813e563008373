import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { readSession } from '#api/guards/cookies.ts'
import { isCsrfToken } from '#api/guards/csrf.ts'
import { parseUrlEncoded } from '#api/parameters/text.ts'
import { Forbidden } from '#lib/refusals.ts'
import { rejectResubmission, rememberResponse } from './sent-forms.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The form is used before sign-in, so it has no CSRF token. */
    isBeforeSession?: true
  }
}

type Fields = Record<string, string | string[] | undefined>

/** Parses forms, checks their CSRF tokens, and processes each once. */
export const forms = fp(async (app: FastifyInstance) => {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    fieldsOf(parseUrlEncoded(body))
  )

  app.addHook('preHandler', async (request, reply) => {
    const { method, body, routeOptions } = request

    if (!readSession(request) || routeOptions.config.isBeforeSession) return
    if (method === 'GET' || method === 'HEAD') return
    if (!isCsrfToken(request, (body as Fields | undefined)?.csrf_token)) throw new StaleForm()

    return rejectResubmission(request, reply)
  })
  app.addHook('onSend', rememberResponse)
})

/** A field that is given several times has all its values. */
function fieldsOf(pairs: [name: string, value: string][]): Fields {
  const values = Map.groupBy(pairs, ([name]) => name)

  return Object.fromEntries([...values].map(([name, given]) => [name, given.length === 1 ? given[0]![1] : given.map(([, value]) => value)]))
}

export class StaleForm extends Forbidden {
  override code = 'stale_form'

  constructor() {
    super('This form has expired. Go back, reload the page and try again')
  }
}

/** A value of a form, without NUL characters; empty when missing. */
export function textOf({ body }: FastifyRequest, name: string) {
  const given = (body as Fields | undefined)?.[name]

  return ((Array.isArray(given) ? given[0] : given) ?? '').replaceAll('\0', '')
}

/** The values of a form's checked boxes. */
export function chosenOf({ body }: FastifyRequest, name: string) {
  const given = (body as Fields | undefined)?.[name]

  return given === undefined ? [] : Array.isArray(given) ? given : [given]
}
