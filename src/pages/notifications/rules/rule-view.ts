import type { FastifyReply } from 'fastify'
import { severities } from '#lib/severity.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { type Trigger, triggers } from '#notifications/rules/notification-rule.ts'
import { checkbox, field, formOf, selectField, textArea } from '#pages/layout/field.ts'
import { attributes, type Html, html } from '#pages/layout/html.ts'
import type { PageContext, Problems } from '#pages/projects/page-context.ts'
import { kindTexts } from '../channels/kinds.ts'
import { emailFields, hasRecipients } from '../email-form.ts'
import { notificationPage, notificationsUrl } from '../frame.ts'
import { levels, type RuleForm } from './rule-form.ts'
import { triggerTexts } from './triggers.ts'

export interface RuleView {
  title: string
  action: string
  form: RuleForm
  channels: NotificationChannel[]
  problems?: Problems
  /** The rule as a sentence, and its removal. */
  before?: Html
  after?: Html
}

export function showRule(reply: FastifyReply, context: PageContext, view: RuleView) {
  const { title, action, form, problems = {}, before, after } = view

  return notificationPage(
    reply,
    context,
    title,
    html`
    <h1>${title}</h1>
    ${before ?? html`<p class="lead">When something happens, tell people and channels.</p>`}
    <div class="column rule">
      ${formOf(
        reply.request,
        { action },
        html`
        ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
        ${when(form, problems)}
        ${onlySome(form, problems)}
        ${recipientFields(context, view)}
        ${gathering(form, problems)}
        ${field({ name: 'name', label: 'Name (optional)', value: form.name, hint: 'Messages give it as the reason why they were sent.', error: problems.name, attributes: { maxlength: 100 } })}
        ${after && checkbox({ name: 'active', value: 'true', label: 'Active', hint: 'A rule that is off sends nothing.', isChecked: form.isActive })}
        ${!after && html`<input type="hidden" name="active" value="true">`}
        <button>Save rule</button>`
      )}
    </div>
    ${after}`
  )
}

function when(form: RuleForm, problems: Problems) {
  return html`
    <fieldset${attributes({ 'aria-describedby': problems.triggers && 'triggers-error' })}>
      <legend><h2>When</h2></legend>
      ${problems.triggers && html`<p class="error" id="triggers-error" role="alert">${problems.triggers}</p>`}
      <div class="triggers">${['error', 'alert', 'incident'].map(
        subject =>
          html`<div>${triggers.filter(trigger => trigger.startsWith(subject)).map(trigger => triggerChoice(trigger, form, problems))}</div>`
      )}</div>
    </fieldset>`
}

/** With the numbers of the trigger, which a stylesheet shows only while it is chosen. */
function triggerChoice(trigger: Trigger, form: RuleForm, problems: Problems) {
  const { label, hint, numbers = [] } = triggerTexts[trigger]

  return html`
    ${checkbox({ name: 'triggers', value: trigger, label, hint, isChecked: form.triggers.includes(trigger) })}
    ${
      numbers.length > 0 &&
      html`<div class="numbers">${numbers.map(({ name, attribute, label }) =>
        field({ name, label, value: form[attribute], error: problems[name], attributes: { inputmode: 'numeric' } })
      )}</div>`
    }`
}

function onlySome(form: RuleForm, problems: Problems) {
  const isNarrowed = form.severityFloor !== null || [form.levels, form.environments, form.releases, form.tags].some(list => list.length > 0)
  const hasProblem = ['environments', 'releases', 'tags'].some(name => problems[name])
  const patterns = (name: 'environments' | 'releases' | 'tags', label: string, hint: string) =>
    textArea({ name, label, value: form[name].join('\n'), hint, error: problems[name], attributes: { rows: 2, spellcheck: 'false' } })

  return html`
    <details${attributes({ open: isNarrowed || hasProblem })}>
      <summary>Only for some environments, severities, levels, releases or tags</summary>
      <div class="inset">
        ${patterns('environments', 'Environments', 'One on each line; * stands for any text: production, eu-*. Empty: all.')}
        ${selectField({
          name: 'severity_floor',
          label: 'Severity of alerts and incidents',
          value: form.severityFloor ?? '',
          options: [
            ['', 'any'],
            ...severities.slice(0, -1).map((name): [string, string] => [name, name === 'critical' ? name : `${name} or higher`])
          ]
        })}
        <fieldset>
          <legend>Levels of errors</legend>
          <div class="choice-row">${levels.map(level => checkbox({ name: 'levels', value: level, label: level, isChecked: form.levels.includes(level) }))}</div>
          <p class="hint">None: all levels.</p>
        </fieldset>
        ${patterns('releases', 'Releases of errors', 'One on each line, such as web-shop@3.*. Empty: all.')}
        ${patterns('tags', 'Tags', 'One per line, such as service=shop or cluster=eu-*. All of them have to match a tag of the error, or a label, the severity, service, host or monitoring_tool of the alert.')}
      </div>
    </details>`
}

function recipientFields(context: PageContext, { form, channels, problems = {} }: RuleView) {
  const hasEmail = hasRecipients(form.email)
  const hasProblem = ['usernames', 'user_ids', 'addresses'].some(name => problems[name])

  return html`
    <fieldset${attributes({ 'aria-describedby': problems.channel_ids && 'channel_ids-error' })}>
      <legend><h2>Tell</h2></legend>
      ${problems.channel_ids && html`<p class="error" id="channel_ids-error" role="alert">${problems.channel_ids}</p>`}
      ${channels.map(({ id, name, kind, isActive }) =>
        checkbox({
          name: 'channel_ids',
          value: String(id),
          label: name,
          hint: `${kindTexts[kind].name}${isActive ? '' : ', off'}`,
          isChecked: form.channelIds.includes(id)
        })
      )}
      ${channels.length === 0 && html`<p class="hint">No channel is connected yet.</p>`}
      <p class="hint"><a href="${notificationsUrl(context)}/channels/new">Connect a channel</a> such as Slack or a webhook.</p>
    </fieldset>
    <details${attributes({ open: hasEmail || hasProblem || channels.length === 0 })}>
      <summary>By e-mail to members or addresses</summary>
      <div class="inset">
        ${emailFields(form.email, problems)}
        <p class="hint">They become an e-mail channel that other rules can use, too.</p>
      </div>
    </details>`
}

function gathering({ gatherMinutes }: RuleForm, problems: Problems) {
  return field({
    name: 'gather_minutes',
    label: 'Gather for minutes',
    value: gatherMinutes,
    hint: 'The first message goes out at once. What happens in these minutes after it is one message, the most severe first. Critical and high alerts never wait. 0: everything is a message of its own, up to the hourly limit of the channel. A message that is gathering already keeps its time.',
    error: problems.gather_minutes,
    isRequired: true,
    attributes: { class: 'short', inputmode: 'numeric' }
  })
}
