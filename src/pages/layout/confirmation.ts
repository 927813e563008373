import type { FastifyRequest } from 'fastify'
import { formOf } from './field.ts'
import { html } from './html.ts'

/** Whether a link in a message asks for an action. */
export function isAsked({ query }: FastifyRequest, action: string) {
  return (query as { act?: string }).act === action
}

interface Asked {
  question: string
  action: string
  name: string
  value: string
  label: string
  /** The page without the question. */
  backUrl: string
}

/** What a link in a message asks for, with the button that does it: following the link alone changes nothing. */
export function confirmation(request: FastifyRequest, { question, action, name, value, label, backUrl }: Asked) {
  return html`
    <div class="arrival">
      ${formOf(request, { action, class: 'asked' }, html`<p>${question}</p><button name="${name}" value="${value}" autofocus>${label}</button><a class="button plain" href="${backUrl}">Not now</a>`)}
    </div>`
}
