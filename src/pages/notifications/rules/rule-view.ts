import type { FastifyReply } from 'fastify'
import { severities } from '#lib/severity.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { type Trigger, triggers } from '#notifications/rules/notification-rule.ts'
import type { Form } from '#pages/layout/form.ts'
import { attributes, type Html, html } from '#pages/layout/html.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { kindTexts } from '../channels/kind-texts.ts'
import { emailFields, hasRecipients } from '../email-form.ts'
import { notificationPage, notificationsUrl } from '../frame.ts'
import { mailNotice } from '../mail-notice.ts'
import type { RuleForm } from './rule-form.ts'
import { triggerTexts } from './triggers.ts'

type Fields = Form<typeof RuleForm>

const levels = ['fatal', 'error', 'warning', 'info', 'debug']

export interface RuleView {
  title: string
  action: string
  form: Fields
  channels: NotificationChannel[]
  /** The rule as a sentence, and its removal. */
  before?: Html
  after?: Html
}

export function showRule(reply: FastifyReply, context: PageContext, view: RuleView) {
  const { title, action, form, before, after } = view

  return notificationPage(
    reply,
    context,
    title,
    html`
    <h1>${title}</h1>
    ${before ?? html`<p class="lead">Choose what to send, and to whom.</p>`}
    ${mailNotice(reply.server, context)}
    <div class="column rule">
      ${form.render(
        reply.request,
        { action },
        html`
        ${when(form)}
        ${onlySome(form)}
        ${recipientFields(context, view)}
        ${form.field('gather_minutes', {
          label: 'Group for (minutes)',
          hint: 'The first message is sent immediately; anything that follows within this time is combined into one, most severe first. Critical and high alerts never wait. 0 sends each separately, up to the channel’s hourly limit. A change does not affect messages that are already being grouped.'
        })}
        ${form.field('name', { label: 'Name (optional)', hint: 'Shown in each message as the reason it was sent.' })}
        ${after ? form.checkbox('active', { label: 'Active', hint: 'A rule that is off sends nothing.' }) : html`<input type="hidden" name="active" value="true">`}
        <button>Save rule</button>`
      )}
    </div>
    ${after}`
  )
}

function when(form: Fields) {
  const error = form.error('triggers', { invalid: 'Choose when the rule sends something.' })

  return html`
    <fieldset${attributes({ 'aria-describedby': error && 'triggers-error' })}>
      <legend><h2>When</h2></legend>
      ${error && html`<p class="error" id="triggers-error" role="alert">${error}</p>`}
      <div class="triggers">${['error', 'alert', 'incident'].map(
        subject => html`<div>${triggers.filter(trigger => trigger.startsWith(subject)).map(trigger => triggerChoice(trigger, form))}</div>`
      )}</div>
    </fieldset>`
}

/** With the numbers of the trigger, which a stylesheet shows only while it is chosen. */
function triggerChoice(trigger: Trigger, form: Fields) {
  const { label, hint, numbers = [] } = triggerTexts[trigger]

  return html`
    ${form.choice('triggers', trigger, { label, hint })}
    ${
      numbers.length > 0 &&
      html`<div class="numbers">${numbers.map(({ name, label }) => form.field(name, { label, attributes: { class: undefined } }))}</div>`
    }`
}

function onlySome(form: Fields) {
  const narrowing = ['severity_floor', 'levels', 'environments', 'releases', 'tags'] as const
  const isOpen = narrowing.some(name => form.text(name) !== '' || form.problems[name])
  const patterns = (name: 'environments' | 'releases' | 'tags', label: string, hint: string) =>
    form.textArea(name, { label, hint, attributes: { rows: 2, spellcheck: 'false' } })

  return html`
    <details${attributes({ open: isOpen })}>
      <summary>Limit to environments, severities, levels, releases or tags</summary>
      <div class="inset">
        ${patterns('environments', 'Environments', 'One per line; * matches any text: production, eu-*. Leave empty for all.')}
        ${form.select('severity_floor', {
          label: 'Alert and incident severity',
          options: [
            ['', 'any'],
            ...severities.slice(0, -1).map((name): [string, string] => [name, name === 'critical' ? name : `${name} or higher`])
          ]
        })}
        <fieldset>
          <legend>Error levels</legend>
          <div class="choice-row">${levels.map(level => form.choice('levels', level, { label: level }))}</div>
          <p class="hint">Leave empty for all levels.</p>
        </fieldset>
        ${patterns('releases', 'Error releases', 'One per line, such as web-shop@3.*. Leave empty for all.')}
        ${patterns('tags', 'Tags', 'One per line, such as service=shop or cluster=eu-*. Each must match a tag of the error, or a label, the severity, service, host or monitoring_tool of the alert.')}
      </div>
    </details>`
}

function recipientFields(context: PageContext, { form, channels }: RuleView) {
  const error = form.error('channel_ids')
  const isOpen = hasRecipients(form) || ['usernames', 'user_ids', 'addresses'].some(name => form.problems[name]) || channels.length === 0

  return html`
    <fieldset${attributes({ 'aria-describedby': error && 'channel_ids-error' })}>
      <legend><h2>Notify</h2></legend>
      ${error && html`<p class="error" id="channel_ids-error" role="alert">${error}</p>`}
      ${channels.map(({ id, name, kind, isActive }) => form.choice('channel_ids', String(id), { label: name, hint: `${kindTexts[kind].name}${isActive ? '' : ', off'}` }))}
      ${channels.length === 0 && html`<p class="hint">No channel is connected yet.</p>`}
      <p class="hint"><a href="${notificationsUrl(context)}/channels/new">Connect a channel</a> such as Slack or a webhook.</p>
    </fieldset>
    <details${attributes({ open: isOpen })}>
      <summary>By e-mail to members or addresses</summary>
      <div class="inset">
        ${emailFields(form)}
        <p class="hint">Saved as an e-mail channel that other rules can also use.</p>
      </div>
    </details>`
}
