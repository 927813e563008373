import type { FastifyRequest } from 'fastify'
import { formOf, textArea } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'

interface Line {
  action: string | null
  body: string
  author: { username: string } | null
  created_at: string
}

/** What was done and said, the oldest first, and a place to say more. */
export function history(request: FastifyRequest, lines: Line[], action: string, error?: string) {
  return html`
    <h2>History</h2>
    ${lines.length > 0 && html`<ul class="rows">${lines.map(line)}</ul>`}
    ${formOf(
      request,
      { action },
      html`${textArea({ name: 'body', label: 'Say something', error, with: { maxlength: 100_000 } })}<button>Comment</button>`
    )}`
}

function line({ action, body, author, created_at: at }: Line) {
  const who = html`<strong>${author?.username ?? 'Tocsin'}</strong>`

  return html`
    <li><div>
      ${action ? html`<p>${who} ${marked(body)}</p>` : html`<p>${who}</p><p class="said">${body}</p>`}
      <p class="hint">${ago(new Date(at), new Date())}</p>
    </div></li>`
}

/** What stands between two stars is strong; the rest is shown as it was written. */
export function marked(text: string) {
  return text.split(/\*\*(.+?)\*\*/).map((part, n) => (n % 2 === 1 ? html`<strong>${part}</strong>` : html`${part}`))
}
