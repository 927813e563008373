import type { FastifyRequest } from 'fastify'
import type { ChannelKind } from '#notifications/channels/channel.ts'
import { webChannelOf } from '#notifications/channels/channels.ts'
import type { EmailSettings } from '#notifications/channels/email-channel.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { checkbox, field } from '#pages/layout/field.ts'
import { chosenOf, textOf } from '#pages/layout/forms.ts'
import { html } from '#pages/layout/html.ts'
import type { Problems } from '#pages/projects/page-context.ts'
import { type EmailForm, emailFields } from '../email-form.ts'
import { type KindField, kindTexts } from './kinds.ts'

export interface ChannelForm {
  name: string
  isActive: boolean
  hourlyLimit: string
  /** Of the fields of the kind, except for secrets that are stored. */
  settings: Record<string, string>
  /** Optional secrets to delete. */
  removed?: string[]
  email?: EmailForm
}

export const blankChannel: ChannelForm = { name: '', isActive: true, hourlyLimit: '20', settings: {} }

export function formOfChannel({ name, isActive, hourlyLimit, settings }: NotificationChannel, email?: EmailForm): ChannelForm {
  const texts = Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string')

  return { name, isActive, hourlyLimit: String(hourlyLimit), settings: Object.fromEntries(texts), email }
}

export function readChannelForm(request: FastifyRequest, kind: ChannelKind, email?: EmailForm): ChannelForm {
  const text = (name: string) => textOf(request, name).trim()

  return {
    name: text('name'),
    isActive: text('active') !== '',
    hourlyLimit: text('hourly_limit'),
    settings: Object.fromEntries(kindTexts[kind].fields.map(({ name }) => [name, text(name)])),
    removed: chosenOf(request, 'removed'),
    email
  }
}

/** The body of the REST API. An empty field leaves a stored value as it is. */
export function toChannelBody(kind: ChannelKind, form: ChannelForm, emailSettings?: EmailSettings) {
  const given = Object.entries(form.settings).filter(([, value]) => value !== '')

  return {
    kind,
    name: form.name,
    active: form.isActive,
    hourly_limit: Number(form.hourlyLimit || Number.NaN),
    settings: emailSettings ?? { ...Object.fromEntries(given), ...Object.fromEntries((form.removed ?? []).map(name => [name, null])) }
  }
}

interface Options {
  problems?: Problems
  /** Its secrets are stored, and stay when they are left out. */
  isStored: boolean
}

export function channelFields(kind: ChannelKind, form: ChannelForm, { problems = {}, isStored }: Options) {
  const { fields } = kindTexts[kind]

  return html`
    ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
    ${field({
      name: 'name',
      label: 'Name',
      value: form.name,
      hint: 'Rules show it, such as “#ops” or “Maintainers”.',
      error: problems.name,
      isRequired: true,
      attributes: { maxlength: 100 }
    })}
    ${fields.map(one => kindField(one, form.settings[one.name], { problems, isStored }))}
    ${form.email && emailFields(form.email, problems)}
    ${webChannelOf(kind)?.isPaging ? html`<input type="hidden" name="hourly_limit" value="${form.hourlyLimit}">` : limitField(form, problems)}
    ${isStored && checkbox({ name: 'active', value: 'true', label: 'Active', hint: 'Rules skip a channel that is off.', isChecked: form.isActive })}
    ${!isStored && html`<input type="hidden" name="active" value="true">`}`
}

function limitField({ hourlyLimit }: ChannelForm, problems: Problems) {
  return field({
    name: 'hourly_limit',
    label: 'Messages an hour',
    value: hourlyLimit,
    hint: 'To each recipient. Once reached, everything until the end of the hour is one message, except for critical and high alerts. Nothing is dropped.',
    error: problems.hourly_limit,
    isRequired: true,
    attributes: { class: 'short', inputmode: 'numeric' }
  })
}

function kindField(one: KindField, value: string | undefined, { problems = {}, isStored }: Options) {
  const { name, label, hint, invalid, placeholder, isOptional, isSecret } = one
  const isKept = isStored && isSecret === true

  const input = field({
    name,
    label,
    value,
    hint: isKept ? `Stored encrypted. Empty: it stays as it is. ${hint}` : hint,
    error: problems[name] && invalid,
    isRequired: !isOptional && !isKept,
    autocomplete: 'off',
    attributes: {
      placeholder: isKept ? undefined : placeholder,
      inputmode: name === 'url' ? 'url' : undefined,
      spellcheck: 'false',
      maxlength: 2000
    }
  })

  return isKept && isOptional
    ? html`${input}${checkbox({ name: 'removed', value: name, label: `Delete the stored ${labelOf(label)}`, isChecked: false })}`
    : input
}

function labelOf(label: string) {
  return label.replace(' (optional)', '').toLowerCase()
}
