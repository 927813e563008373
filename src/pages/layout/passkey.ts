import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Form } from './form.ts'
import { attributes, type Html, html } from './html.ts'

/** The field that the script fills with the answer of the browser, as JSON. */
export const Credential = Type.Object({ credential: Type.String({ minLength: 1, maxLength: 20_000 }) })

interface PasskeyForm {
  action: string
  /** For `navigator.credentials`. */
  options: object
  /** The page that has the form with a new challenge. */
  page?: string
}

/** A form that the browser answers with a passkey, created for it or used (`src/pages/scripts/passkeys.js`). */
export function passkeyForm(request: FastifyRequest, form: Form, { action, options, page }: PasskeyForm, content: Html) {
  const kind = 'rp' in options ? 'create' : 'get'

  return html`
    <div data-passkeys${attributes({ 'data-passkey': kind, 'data-options': JSON.stringify(options), 'data-page': page })}>
      ${form.render(request, { action }, html`<input type="hidden" name="credential">${content}`)}
    </div>`
}

export function unsupportedHint() {
  return html`<p class="hint" data-no-passkeys>Passkeys need a browser that supports them, with JavaScript turned on.</p>`
}
