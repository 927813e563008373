import type { FastifyRequest } from 'fastify'
import type { NoteRow } from '#projects/list-notes.ts'
import { formOf, textArea } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { type Html, html } from '../layout/html.ts'
import { markdownOf } from '../layout/markdown.ts'
import { ago } from '../layout/time.ts'

const maxCommentLength = 100_000

type Note = Omit<NoteRow, 'id' | 'author'> & { author: { username: string } | null }

/** Comments and system notes, oldest first, and a form for a new comment. */
export async function noteHistory(request: FastifyRequest, notes: Note[], action: string, error?: string) {
  const bodies = await markdownOf(notes.map(({ action, body }) => (action ? '' : body)))

  return html`
    <section class="part" id="history">
    <h2>History</h2>
    ${notes.length > 0 && html`<ol class="history">${notes.map((note, n) => renderNote(note, bodies[n]!))}</ol>`}
    ${formOf(
      request,
      { action },
      html`${textArea({ name: 'body', label: 'Add a comment', value: textOf(request, 'body'), error, attributes: { maxlength: maxCommentLength } })}<button>Comment</button>`
    )}
    </section>`
}

/** The comment of the form, or the reason why it is refused. */
export function readComment(request: FastifyRequest): { body: string; problem?: undefined } | { body?: undefined; problem: string } {
  // Forms send line breaks as CRLF, which the browser's limit counts as one character.
  const body = textOf(request, 'body').replaceAll('\r\n', '\n').trim()

  if (body === '') return { problem: 'Write a comment first.' }
  if (body.length > maxCommentLength)
    return { problem: `A comment can have at most ${maxCommentLength} characters; this one has ${body.length}.` }

  return { body }
}

function renderNote({ action, body, author, created_at: createdAt }: Note, rendered: Html) {
  const name = html`<strong>${author?.username ?? 'Tocsin'}</strong>`
  const at = html`<span class="hint">${ago(new Date(createdAt), new Date())}</span>`

  if (action) return html`<li><p>${name} ${renderBold(body)} ${at}</p></li>`

  return html`<li class="comment"><p>${name} ${at}</p><div>${rendered}</div></li>`
}

/** Renders `**bold**`; everything else is plain text. */
export function renderBold(text: string) {
  return text.split(/\*\*(.+?)\*\*/).map((part, n) => (n % 2 === 1 ? html`<strong>${part}</strong>` : html`${part}`))
}
