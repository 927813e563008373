import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownPath } from '#api/redirect.ts'
import { Application } from '#oauth/applications/application.ts'
import { html } from '../layout/html.ts'

/** The page to go to after signing in, from the address or the form. */
export function returnTo({ query, body }: Pick<FastifyRequest, 'query' | 'body'>) {
  return ownPath({ ...(query as Destination), ...(body as Destination | undefined) }.return_to)
}

interface Destination {
  return_to?: unknown
}

/** The sign-in page, which leads to the path. */
export function signInPath(path: string) {
  return path === '/' ? '/users/sign_in' : `/users/sign_in?return_to=${encodeURIComponent(path)}`
}

/** The page that a form was sent from. Our pages send their whole address with their forms. */
export function pageOfForm({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>) {
  const url = URL.parse(headers.referer ?? '')

  return url?.host === host ? ownPath(`${url.pathname}${url.search}`) : '/'
}

/** The authorization endpoint, which redirects to the application. */
export function isAuthorization(path: string) {
  return path.startsWith('/oauth/authorize?')
}

/** Names the application that asks for the sign-in; undefined when none does. */
export async function continueTo({ server }: FastifyReply, path: string) {
  if (!isAuthorization(path)) return undefined
  const uid = new URLSearchParams(path.slice(path.indexOf('?'))).get('client_id') ?? ''
  const application = await server.platform.fork().findOne(Application, { uid: uid.replaceAll('\0', '') })

  return application ? html`<p class="lead">to continue to <strong>${application.name}</strong></p>` : undefined
}
