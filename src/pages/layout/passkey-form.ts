import type { FastifyRequest } from 'fastify'
import { formOf } from './field.ts'
import { attributes, type Html, html } from './html.ts'

interface PasskeyForm {
  action: string
  /** For `navigator.credentials`. */
  options: object
  /** The page with a new challenge, where people may take their time. */
  page?: string
}

/**
 * A form that the browser answers with a passkey: `src/pages/scripts/passkeys.js` fills the field `credential`. Where there are no
 * passkeys, it says so instead.
 */
export function passkeyForm(request: FastifyRequest, { action, options, page }: PasskeyForm, content: Html) {
  const kind = 'rp' in options ? 'create' : 'get'

  return html`
    <div data-passkeys${attributes({ 'data-passkey': kind, 'data-options': JSON.stringify(options), 'data-page': page })}>
      ${formOf(request, { action }, html`<input type="hidden" name="credential">${content}`)}
    </div>
    ${withoutPasskeys()}`
}

export function withoutPasskeys() {
  return html`<p class="hint" data-without-passkeys>Passkeys need a browser that supports them, with JavaScript turned on.</p>`
}
