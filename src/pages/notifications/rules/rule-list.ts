import type { EmailSettings } from '#notifications/channels/email-channel.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { findAlertMailRules } from '#notifications/rules/alert-mail-rules.ts'
import type { NotificationRule } from '#notifications/rules/notification-rule.ts'
import { html } from '#pages/layout/html.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { describeRecipients } from '../email-form.ts'
import { notificationsUrl } from '../frame.ts'
import { ruleSentence } from './rule-sentence.ts'
import { triggerTexts } from './triggers.ts'

/** The rules, each as a sentence; without any, the next step. */
export async function rulesSection(context: PageContext, channels: NotificationChannel[], rules: NotificationRule[]) {
  const url = notificationsUrl(context)
  const fromSettings = await alertSettingsRow(context)

  return html`
    <div class="heading"><h2>Rules</h2>${context.isMaintainer && rules.length > 0 && html`<a class="button plain small" href="${url}/rules/new">Add a rule</a>`}</div>
    ${(rules.length > 0 || fromSettings) && html`<ul class="rows">${rules.map(rule => ruleRow(context, channels, rule))}${fromSettings}</ul>`}
    ${rules.length === 0 && nextStep(context, channels.length > 0)}`
}

function ruleRow(context: PageContext, channels: NotificationChannel[], rule: NotificationRule) {
  const { id, name, isActive, channelIds } = rule
  const url = `${notificationsUrl(context)}/rules/${id}`

  return html`
    <li>
      <div>
        ${!isNamedAfterTrigger(rule) && html`<h3>${name}</h3>`}
        <p>${ruleSentence(
          rule,
          channels.filter(channel => channelIds.includes(channel.id))
        )}${!isActive && html` <span class="badge">off</span>`}</p>
      </div>
      ${context.isMaintainer && html`<p class="ways"><a href="${url}" aria-label="Edit ${name}">Edit</a></p>`}
    </li>`
}

function isNamedAfterTrigger({ name, triggers }: NotificationRule) {
  return triggers.some(trigger => triggerTexts[trigger].label === name)
}

/** The rule that the alert settings stand for. */
async function alertSettingsRow({ em, project, projectUrl, isMaintainer }: PageContext) {
  const [found] = await findAlertMailRules(em, project.id)

  if (!found) return undefined
  const recipients = describeRecipients(found.channels[0]!.settings as unknown as EmailSettings, new Map()).join(', ')
  const sentence = ruleSentence(found.rule, [{ name: recipients, kind: 'email', isActive: true }])

  return html`
    <li>
      <div><h3>Alert settings</h3><p>${sentence}</p></div>
      ${isMaintainer && html`<p class="ways"><a href="${projectUrl}/alert_settings" aria-label="Edit the alert settings">Edit</a></p>`}
    </li>`
}

function nextStep(context: PageContext, hasChannels: boolean) {
  const url = notificationsUrl(context)

  if (!context.isMaintainer) return html`<div class="empty"><p>No rules yet. Maintainers can add them.</p></div>`

  return html`
    <div class="empty">
      <p>${hasChannels ? 'No rules yet. A rule decides what is sent to a channel.' : 'No notifications are sent yet. Connect a channel, or add a rule.'}</p>
      <p>${
        hasChannels
          ? html`<a class="button" href="${url}/rules/new">Add a rule</a>`
          : html`<a class="button" href="${url}/channels/new">Connect a channel</a> <a class="button plain" href="${url}/rules/new">Add an e-mail rule</a>`
      }</p>
    </div>`
}
