import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { captchaWidget } from '../sign-in/captcha.ts'
import { type BasicFields, descriptionField, nameField, pathAttributes, visibilityField } from './basic-fields.ts'
import { deletionNotice, deletionSection, restoreSection } from './deletion-section.ts'
import { type actionForms, formFor, type Refused, type SettingsPlace } from './settings-place.ts'

interface View {
  form?: Form<typeof BasicFields>
  refused?: Refused
}

export async function settingsView(reply: FastifyReply, place: SettingsPlace, { form = place.form, refused }: View = {}) {
  const { request } = reply

  return place.show(
    reply,
    html`
    <h1>Settings</h1>
    ${refused?.action === 'restore' && refused.form.notices()}
    ${isWritable(place) ? general(reply, place, form) : readOnlyNotice(place)}
    ${place.isOwner && (await ownersSections(request, place, refused))}`
  )
}

function general(reply: FastifyReply, { url, isOwner }: SettingsPlace, form: Form<typeof BasicFields>) {
  return html`
    <div class="column">${form.render(
      reply.request,
      { action: url },
      html`
      ${nameField(form)}
      ${descriptionField(form)}
      ${isOwner && visibilityField(form)}
      ${captchaWidget(reply)}
      <button>Save</button>`
    )}</div>`
}

function isWritable({ isArchived, markedAt }: SettingsPlace) {
  return !isArchived && !markedAt
}

function readOnlyNotice(place: SettingsPlace) {
  if (place.markedAt) return deletionNotice(place)

  return html`<p class="lead">This project is archived: it is read-only, and accepts no errors or alerts.</p>`
}

async function ownersSections(request: FastifyRequest, place: SettingsPlace, refused: Refused | undefined) {
  const { markedAt, isArchived, noun, url, fullPath } = place
  const forms = { path: formFor('path', refused, place), transfer: formFor('transfer', refused), archive: formFor('archive', refused) }
  const section = (action: keyof typeof forms, title: string, hint: string, control: Html) => html`
    <section>
      <h2>${title}</h2>
      <p>${hint}</p>
      ${forms[action].render(request, { action: `${url}/${action}` }, control)}
    </section>`

  return html`
    <div class="column">
      ${isWritable(place) && section('path', 'Path', `The old path, ${fullPath}, redirects to the ${noun} until something else uses it.`, pathControl(forms.path))}
      ${isWritable(place) && section('transfer', 'Transfer', `Move the ${noun} elsewhere. Direct members keep access; inherited members may change.`, await transferControl(place, forms.transfer))}
      ${restoreSection(request, place)}
      ${!markedAt && isArchived !== undefined && section('archive', isArchived ? 'Unarchive' : 'Archive', isArchived ? 'It can be changed again, and accepts errors and alerts.' : 'It becomes read-only, and accepts no errors or alerts.', archiveControl(isArchived))}
      ${deletionSection(request, place, refused)}
    </div>`
}

function archiveControl(isArchived: boolean) {
  return html`<input type="hidden" name="archived" value="${isArchived ? 'false' : 'true'}"><button class="plain">${isArchived ? 'Unarchive' : 'Archive'} the project</button>`
}

function pathControl(form: Form<typeof actionForms.path>) {
  return html`
    ${form.field('path', { label: 'Path', isRequired: true, attributes: pathAttributes })}
    <button class="plain">Change the path</button>`
}

async function transferControl({ targets }: SettingsPlace, form: Form<typeof actionForms.transfer>) {
  const options = await targets()

  return options.length > 0
    ? html`${form.select('target', { label: 'To', options })}<button class="plain">Transfer</button>`
    : html`<p class="hint">You are not a maintainer of any other group.</p>`
}
