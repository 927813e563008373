import type { FastifyReply } from 'fastify'
import { redirectToApplication } from '#api/redirect.ts'
import { type ResponseParameters, responseUrl } from '#oauth/authorize/authorization-response.ts'
import type { RedirectTarget } from '#oauth/authorize/redirect-target.ts'
import { attributes, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

/** Answers the application through the browser. RFC 9700 §4.2.4: no referrer. */
export function sendResponse(reply: FastifyReply, target: RedirectTarget, parameters: ResponseParameters) {
  if (target.responseMode === 'form_post') return formPost(reply, target, parameters)

  return redirectToApplication(
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }),
    responseUrl(target, parameters)
  )
}

/** OAuth 2.0 Form Post Response Mode. Without scripts, the user sends the form. */
function formPost(reply: FastifyReply, { redirectUri, application }: RedirectTarget, parameters: ResponseParameters) {
  return page(
    reply,
    { title: 'Continue', width: 'narrow', redirectsAway: true },
    html`
    <section class="card">
      <h1>Continue to ${application.name}</h1>
      <form method="post" action="${redirectUri}" data-send>
        ${Object.entries(parameters).map(([name, value]) => html`<input${attributes({ type: 'hidden', name, value })}>`)}
        <button>Continue</button>
      </form>
    </section>`
  )
}
