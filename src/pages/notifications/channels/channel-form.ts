import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { channels } from '#notifications/channels/channel-resource.ts'
import type { EmailSettings } from '#notifications/channels/email-channel.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import type { ChannelKind } from '#notifications/channels/web-channels.ts'
import { webChannelOf } from '#notifications/channels/web-channels.ts'
import { checkbox } from '#pages/layout/field.ts'
import { Form, type SentForm } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { EmailFields, type EmailForm, emailFields, readRecipients, usernamesOf } from '../email-form.ts'
import { saveRow } from '../save-row.ts'
import { type KindField, kindTexts } from './kind-texts.ts'

const { name, active, hourly_limit } = channels.body.properties
const Common = Type.Object({ name, active, hourly_limit })

/** Empty fields of the kind leave a stored value as it is; `removed` names the optional secrets to delete. */
export function channelFormOf(kind: ChannelKind) {
  const ofKind = kindTexts[kind].fields.map(({ name }) => [name, Nullable(Type.String({ maxLength: 2000 }))])

  return Type.Object({
    ...Common.properties,
    ...(kind === 'email' ? EmailFields.properties : Object.fromEntries(ofKind)),
    removed: Type.Array(Type.String())
  })
}

export function newChannelForm(kind: ChannelKind) {
  return new Form(channelFormOf(kind), { active: true, hourly_limit: 20 })
}

export async function formOfChannel(context: PageContext, channel: NotificationChannel) {
  const { user_ids: ids = [] } = channel.settings as Partial<EmailSettings>
  const usernames = [...(await usernamesOf(context, ids)).values()].join(', ')

  return new Form(channelFormOf(channel.kind), { ...channels.present(channel), ...channel.settings, usernames })
}

interface Saved {
  kind: ChannelKind
  /** Undefined for a new channel. */
  id?: number
  /** Settings that are made rather than entered. */
  made?: Record<string, string>
}

export async function saveChannel(context: PageContext, form: SentForm<Type.TObject>, { kind, id, made }: Saved) {
  const body = form.body as Type.Static<typeof Common> & { removed: string[] } & Record<string, string | null>
  const given = kindTexts[kind].fields.flatMap(({ name }) => (body[name] ? [[name, body[name]]] : []))
  const settings =
    kind === 'email'
      ? await readRecipients(context, form as unknown as SentForm<typeof EmailFields>)
      : { ...Object.fromEntries(given), ...Object.fromEntries(body.removed.map(name => [name, null])), ...made }

  return saveRow(context, channels, form, { ...body, kind, settings }, id)
}

/** `isStored`: its secrets are stored, and stay when they are left out. */
export function channelFields(kind: ChannelKind, form: Form, { isStored }: { isStored: boolean }) {
  return html`
    ${form.field('name', { label: 'Name', hint: 'Shown in rules, such as “#ops” or “Maintainers”.' })}
    ${kindTexts[kind].fields.map(one => kindField(one, form, isStored))}
    ${kind === 'email' && emailFields(form as unknown as EmailForm)}
    ${
      webChannelOf(kind)?.isPaging
        ? html`<input type="hidden" name="hourly_limit" value="${form.text('hourly_limit')}">`
        : form.field('hourly_limit', {
            label: 'Messages per hour',
            hint: 'Per recipient. Once the limit is reached, everything until the end of the hour is combined into one message, except critical and high alerts. Nothing is dropped.'
          })
    }
    ${isStored ? form.checkbox('active', { label: 'Active', hint: 'Rules skip a channel that is off.' }) : html`<input type="hidden" name="active" value="true">`}`
}

function kindField({ name, label, hint, invalid, placeholder, isOptional, isSecret }: KindField, form: Form, isStored: boolean) {
  const isKept = isStored && isSecret === true

  const input = form.field(name, {
    label,
    hint: isKept ? `Stored encrypted. Leave empty to keep it. ${hint}` : hint,
    error: form.error(name) && invalid,
    isRequired: !isOptional && !isKept,
    autocomplete: 'off',
    attributes: { placeholder: isKept ? undefined : placeholder, inputmode: name === 'url' ? 'url' : undefined, spellcheck: 'false' }
  })

  return isKept && isOptional
    ? html`${input}${checkbox({ name: 'removed', value: name, label: `Delete the stored ${labelOf(label)}`, isChecked: false })}`
    : input
}

function labelOf(label: string) {
  return label.replace(' (optional)', '').toLowerCase()
}
