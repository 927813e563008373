import type { FastifyReply } from 'fastify'
import { InvalidClient, InvalidRedirectUri, type OAuthError } from '#oauth/errors.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

/** An error that must not be sent to the redirect URI (RFC 6749 §4.1.2.1). */
export function authorizationErrorPage(reply: FastifyReply, error: OAuthError) {
  return page(
    reply.code(error.status),
    { title: 'Authorization failed', width: 'narrow' },
    html`
    <section class="card">
      <h1>Authorization failed</h1>
      <p>${reasonOf(error)}</p>
      <p>Nothing was shared with it. If the problem persists, tell the developers of the application:</p>
      <p><code>${error.code}</code>: ${error.description}</p>
      <p><a href="/">Go to the home page</a></p>
    </section>`
  )
}

function reasonOf(error: OAuthError) {
  if (error instanceof InvalidClient) return 'The application that sent you here is not registered, or was deleted.'
  if (error instanceof InvalidRedirectUri)
    return 'The application that sent you here wants the answer at an address that is not registered or not valid.'

  return 'The application that sent you here made an invalid request.'
}
