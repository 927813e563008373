import type { FastifyReply, FastifyRequest } from 'fastify'
import { captchaWidget } from '../../captcha/captcha.ts'
import { field, formOf, selectField } from '../../layout/field.ts'
import { attributes, type Html, html } from '../../layout/html.ts'
import type { Problems } from '../../projects/page-context.ts'
import { type BasicForm, descriptionField, nameField, pathAttributes, visibilityField } from '../basic-fields.ts'
import type { SettingsPlace } from './settings-place.ts'

/** A change that was refused, and why. */
export interface Refused {
  action: 'path' | 'archive' | 'transfer' | 'deletion'
  text: string
}

interface View {
  form?: BasicForm
  problems?: Problems
  refused?: Refused
}

export async function settingsView(reply: FastifyReply, place: SettingsPlace, { form = place.form, problems = {}, refused }: View = {}) {
  const { request } = reply

  return place.show(
    reply,
    html`
    <h1>Settings</h1>
    ${place.isArchived ? html`<p class="lead">This project is archived: it is read-only, and accepts no errors or alerts.</p>` : general(reply, place, form, problems)}
    ${place.isOwner && (await ownersSections(request, place, refused))}`
  )
}

function general(reply: FastifyReply, { url, isOwner }: SettingsPlace, form: BasicForm, problems: Problems) {
  return html`
    ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
    <div class="column">${formOf(
      reply.request,
      { action: url },
      html`
      ${nameField(form, problems)}
      ${descriptionField(form, problems)}
      ${isOwner && visibilityField(form, problems)}
      ${captchaWidget(reply)}
      <button>Save</button>`
    )}</div>`
}

async function ownersSections(request: FastifyRequest, place: SettingsPlace, refused: Refused | undefined) {
  const { isArchived, noun, url, fullPath, content } = place
  const section = (action: Refused['action'], title: string, hint: string, control: Html) => html`
    <section>
      <h2>${title}</h2>
      <p>${hint}</p>
      ${refused?.action === action && html`<p class="problem" role="alert">${refused.text}</p>`}
      ${formOf(request, { action: `${url}/${action}` }, control)}
    </section>`
  const archive = html`<input type="hidden" name="archived" value="${isArchived ? 'false' : 'true'}"><button class="plain">${isArchived ? 'Unarchive' : 'Archive'} the project</button>`

  return html`
    <div class="column">
      ${!isArchived && section('path', 'Path', `Links to the former path, ${fullPath}, lead to the ${noun} until something else takes it.`, pathControl(place))}
      ${!isArchived && section('transfer', 'Transfer', `Move the ${noun} elsewhere. Its direct members stay, inherited ones change.`, await transferControl(place))}
      ${isArchived !== undefined && section('archive', isArchived ? 'Unarchive' : 'Archive', isArchived ? 'It can be changed again, and accepts errors and alerts.' : 'It becomes read-only, and accepts no errors or alerts.', archive)}
      <section class="danger">
        <h2>Delete the ${noun}</h2>
        <p>This deletes ${content}. It cannot be undone.</p>
        ${refused?.action === 'deletion' && html`<p class="problem" role="alert">${refused.text}</p>`}
        <details${attributes({ open: refused?.action === 'deletion' })}>
          <summary>Delete…</summary>
          ${formOf(request, { action: `${url}/deletion` }, deletionControl(place))}
        </details>
      </section>
    </div>`
}

function pathControl({ form }: SettingsPlace) {
  return html`
    ${field({ name: 'path', label: 'Path', value: form.path, isRequired: true, attributes: pathAttributes })}
    <button class="plain">Change the path</button>`
}

async function transferControl({ targets }: SettingsPlace) {
  const options = await targets()

  return options.length > 0
    ? html`${selectField({ name: 'target', label: 'To', options })}<button class="plain">Transfer</button>`
    : html`<p class="hint">There is no other group in which you are a maintainer.</p>`
}

function deletionControl({ noun, fullPath }: SettingsPlace) {
  return html`
    ${field({ name: 'full_path', label: `Enter ${fullPath} to confirm`, isRequired: true, autocomplete: 'off', attributes: { spellcheck: 'false', autocapitalize: 'none' } })}
    <button>Delete the ${noun}</button>`
}
