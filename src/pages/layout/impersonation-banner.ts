import type { FastifyRequest } from 'fastify'
import { formOf } from './field.ts'
import { html } from './html.ts'

/** On every page, while an admin acts as another user in this browser. */
export function impersonationBanner(request: FastifyRequest) {
  const { user, sudoer } = request.caller ?? {}
  if (!user || !sudoer) return undefined

  return html`
    <div class="impersonation" role="note">
      <p>You are <strong>@${sudoer.username}</strong>, impersonating <strong>@${user.username}</strong>.</p>
      ${formOf(request, { action: '/-/impersonation/end' }, html`<button class="plain">Stop impersonating</button>`)}
    </div>`
}
