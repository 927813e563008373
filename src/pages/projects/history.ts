import type { FastifyRequest } from 'fastify'
import { formOf, textArea } from '../field.ts'
import { html } from '../html.ts'
import { ago } from '../time.ts'

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
    <ul class="rows">${lines.map(line)}</ul>
    ${formOf(
      request,
      { action },
      html`${textArea({ name: 'body', label: 'Say something', error, with: { maxlength: 100_000 } })}<button class="quiet">Comment</button>`
    )}`
}

function line({ action, body, author, created_at: at }: Line) {
  const who = html`<strong>${author?.username ?? 'Tocsin'}</strong>`

  return html`
    <li><div>
      ${action ? html`<p>${who} ${plain(body)}</p>` : html`<p>${who}</p><p class="said">${body}</p>`}
      <p class="hint">${ago(new Date(at), new Date())}</p>
    </div></li>`
}

/** Without the stars of Markdown. */
function plain(body: string) {
  return body.replaceAll('**', '')
}
