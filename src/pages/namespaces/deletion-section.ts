import type { FastifyRequest } from 'fastify'
import { counted } from '#lib/counted.ts'
import { formOf } from '../layout/field.ts'
import type { Form } from '../layout/form.ts'
import { attributes, html } from '../layout/html.ts'
import { day } from '../layout/time.ts'
import { type actionForms, formFor, type Refused, type SettingsContext } from './settings-context.ts'

const dayMs = 86_400_000

/** When what is marked will be deleted; the caller knows that it is marked. */
export function deletionNotice({ noun, markedAt, isMarkedWithGroup, periodDays }: SettingsContext) {
  const due = new Date(markedAt!.getTime() + periodDays * dayMs)
  const cause = isMarkedWithGroup ? ' with its group, and can only be restored with it' : ''

  return html`
    <p class="problem">This ${noun} will be deleted on ${day(due)}${cause}. Until then it is read-only, and accepts no errors or alerts.</p>`
}

export function restoreSection(request: FastifyRequest, { noun, url, markedAt, isMarkedWithGroup }: SettingsContext) {
  if (!markedAt || isMarkedWithGroup) return undefined

  return html`
    <section>
      <h2>Restore</h2>
      <p>The ${noun} becomes available at its path again, as it was before.</p>
      ${formOf(request, { action: `${url}/restore` }, html`<button class="plain">Restore the ${noun}</button>`)}
    </section>`
}

export function deletionSection(request: FastifyRequest, context: SettingsContext, refused: Refused | undefined) {
  const { noun, url, markedAt } = context
  const form = formFor('deletion', refused)

  return html`
    <section class="danger">
      <h2>${markedAt ? 'Delete now' : `Delete the ${noun}`}</h2>
      <p>${consequence(context)}</p>
      <details${attributes({ open: form.hasProblems })}>
        <summary>Delete…</summary>
        ${form.render(request, { action: `${url}/deletion` }, confirmation(context, form))}
      </details>
    </section>`
}

function consequence({ content, markedAt, periodDays }: SettingsContext) {
  return markedAt || periodDays === 0
    ? `This deletes ${content}. It cannot be undone.`
    : `This makes it read-only, and deletes ${content} after ${counted(periodDays, 'day')}. Until then it can be restored.`
}

function confirmation({ noun, fullPath }: SettingsContext, form: Form<typeof actionForms.deletion>) {
  return html`
    ${form.field('full_path', { label: `Enter ${fullPath} to confirm`, isRequired: true, autocomplete: 'off', attributes: { spellcheck: 'false', autocapitalize: 'none' } })}
    <button>Delete the ${noun}</button>`
}
