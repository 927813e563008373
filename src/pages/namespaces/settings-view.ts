import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { captchaWidget } from '../sign-in/captcha.ts'
import { type BasicFields, descriptionField, nameField, pathAttributes, visibilityField } from './basic-fields.ts'
import { deletionNotice, deletionSection, restoreSection } from './deletion-section.ts'
import { type actionForms, formFor, type Refused, type SettingsContext } from './settings-context.ts'

interface View {
  form?: Form<typeof BasicFields>
  refused?: Refused
}

export async function settingsView(reply: FastifyReply, context: SettingsContext, { form = context.form, refused }: View = {}) {
  const { request } = reply

  return context.show(
    reply,
    html`
    <h1>Settings</h1>
    ${refused?.action === 'restore' && refused.form.notices()}
    ${isWritable(context) ? general(reply, context, form) : readOnlyNotice(context)}
    ${context.isOwner && (await ownersSections(request, context, refused))}`
  )
}

function general(reply: FastifyReply, { url, isOwner }: SettingsContext, form: Form<typeof BasicFields>) {
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

function isWritable({ isArchived, markedAt }: SettingsContext) {
  return !isArchived && !markedAt
}

function readOnlyNotice(context: SettingsContext) {
  if (context.markedAt) return deletionNotice(context)

  return html`<p class="lead">This project is archived: it is read-only, and accepts no errors or alerts.</p>`
}

async function ownersSections(request: FastifyRequest, context: SettingsContext, refused: Refused | undefined) {
  const { markedAt, isArchived, noun, url, fullPath } = context
  const forms = { path: formFor('path', refused, context), transfer: formFor('transfer', refused), archive: formFor('archive', refused) }
  const section = (action: keyof typeof forms, title: string, hint: string, control: Html) => html`
    <section>
      <h2>${title}</h2>
      <p>${hint}</p>
      ${forms[action].render(request, { action: `${url}/${action}` }, control)}
    </section>`

  return html`
    <div class="column">
      ${isWritable(context) && section('path', 'Path', `After a change, ${fullPath} redirects to the ${noun} until something else uses it.`, pathControl(forms.path))}
      ${isWritable(context) && section('transfer', 'Transfer', `Move the ${noun} elsewhere. Direct members keep access; inherited members may change.`, await transferControl(context, forms.transfer))}
      ${restoreSection(request, context)}
      ${!markedAt && isArchived !== undefined && section('archive', isArchived ? 'Unarchive' : 'Archive', isArchived ? 'It can be changed again, and accepts errors and alerts.' : 'It becomes read-only, and accepts no errors or alerts.', archiveControl(isArchived))}
      ${deletionSection(request, context, refused)}
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

async function transferControl({ targets }: SettingsContext, form: Form<typeof actionForms.transfer>) {
  const options = await targets()

  return options.length > 0
    ? html`${form.select('target', { label: 'To', options })}<button class="plain">Transfer</button>`
    : html`<p class="hint">You are not a maintainer of any other group.</p>`
}
