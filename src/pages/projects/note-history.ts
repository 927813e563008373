import type { FastifyRequest } from 'fastify'
import type { NoteRow } from '../../notes/list-notes.ts'
import { formOf, textArea } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'

const maxCommentLength = 100_000

type Note = Omit<NoteRow, 'id' | 'author'> & { author: { username: string } | null }

/** Comments and system notes, oldest first, and a form for a new comment. */
export function noteHistory(request: FastifyRequest, notes: Note[], action: string, error?: string) {
  return html`
    <h2>History</h2>
    ${notes.length > 0 && html`<ul class="rows">${notes.map(renderNote)}</ul>`}
    ${formOf(
      request,
      { action },
      html`${textArea({ name: 'body', label: 'Add a comment', error, attributes: { maxlength: maxCommentLength } })}<button>Comment</button>`
    )}`
}

export function readComment(request: FastifyRequest) {
  return textOf(request, 'body').trim().slice(0, maxCommentLength)
}

function renderNote({ action, body, author, created_at: createdAt }: Note) {
  const name = html`<strong>${author?.username ?? 'Tocsin'}</strong>`

  return html`
    <li><div>
      ${action ? html`<p>${name} ${renderBold(body)}</p>` : html`<p>${name}</p><p class="user-text">${body}</p>`}
      <p class="hint">${ago(new Date(createdAt), new Date())}</p>
    </div></li>`
}

/** Renders `**bold**`; everything else is plain text. */
export function renderBold(text: string) {
  return text.split(/\*\*(.+?)\*\*/).map((part, n) => (n % 2 === 1 ? html`<strong>${part}</strong>` : html`${part}`))
}
