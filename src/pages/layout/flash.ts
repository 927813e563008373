import type { FastifyReply } from 'fastify'
import { clearSignedCookie, readSignedCookie, setSignedCookie } from '#api/guards/signed-cookie.ts'
import { formOf } from './field.ts'
import { type Html, html, trusted } from './html.ts'

const name = '_flash'
/** A cookie holds 4 KB. */
const maxLength = 2500

/** The form that takes an action back: it posts these fields. */
export interface Undo {
  action: string
  fields: [name: string, value: string][]
}

export interface Link {
  href: string
  text: string
}

interface Message {
  text: string
  undo?: Undo
  link?: Link
}

/**
 * Shows a message once, on the next page after a redirect, with a button that takes the action back where that is possible, and a link to
 * where more about it is.
 */
export function flash(reply: FastifyReply, text: string, undo?: Undo, link?: Link) {
  const message = JSON.stringify({ text, undo, link } satisfies Message)

  setSignedCookie(reply, name, message.length > maxLength ? JSON.stringify({ text }) : message, 60)
}

/** The message, which is cleared. With a user, it gets the focus. */
export function takeFlash(reply: FastifyReply): Html | undefined {
  const stored = readSignedCookie(reply, name)

  clearSignedCookie(reply, name)
  if (!stored) return undefined
  const { text, undo, link } = JSON.parse(stored) as Message

  return html`<div class="flash" role="status"${reply.request.caller && trusted(' tabindex="-1" autofocus')}><p>${text}${link && html` <a href="${link.href}">${link.text}</a>`}</p>${undo && undoForm(reply, undo)}</div>`
}

function undoForm({ request }: FastifyReply, { action, fields }: Undo) {
  return formOf(
    request,
    { action },
    html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="quiet small">Undo</button>`
  )
}
