import Type from 'typebox'
import type { EmailSettings } from '#notifications/channels/email-channel.ts'
import { findOrAddEmailChannel } from '#notifications/channels/find-or-add-email-channel.ts'
import type { NotificationRule, Trigger } from '#notifications/rules/notification-rule.ts'
import { rules } from '#notifications/rules/rule-resource.ts'
import { Form, type SentForm } from '#pages/layout/form.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { describeRecipients, EmailFields, hasRecipients, readRecipients, usernamesOf } from '../email-form.ts'
import { addReasons, putRow } from '../save-row.ts'
import { triggerTexts } from './triggers.ts'

const maxName = 100

/** A rule without a name is named after its first trigger. The recipients are those who are not in a channel yet. */
export const RuleForm = Type.Object({
  ...Type.Omit(rules.body, ['labels']).properties,
  name: Type.String({ maxLength: maxName }),
  ...EmailFields.properties
})

export function newRuleForm(channelIds: number[]) {
  return new Form(RuleForm, { active: true, triggers: ['error.new', 'error.regressed'], channel_ids: channelIds, gather_minutes: 5 })
}

export function formOfRule(rule: NotificationRule) {
  return new Form(RuleForm, rules.present(rule))
}

/** Recipients that the form names become an e-mail channel, together with the rule or not at all. */
export async function saveRule(context: PageContext, form: SentForm<typeof RuleForm>, id?: number) {
  const { em, admin } = context
  const { name, triggers, channel_ids: channelIds } = form.body
  const settings = hasRecipients(form) ? await readRecipients(context, form) : undefined

  checkNumbers(form)
  if (channelIds.length === 0 && !settings) form.problems.channel_ids = 'Choose a channel, or enter e-mail recipients.'
  const body = { ...form.body, name: name || (triggerTexts[triggers[0]!]?.label ?? 'Rule') }

  await addReasons(context, rules, form, body, id)

  return form.save(() =>
    em.fork().transactional(async em => {
      const channel = settings && (await findOrAddEmailChannel(em, admin, await channelNameOf(context, settings), settings, new Date()))

      return putRow(em, admin, rules, { ...body, channel_ids: [...new Set([...channelIds, ...(channel ? [channel.id] : [])])] }, id)
    })
  )
}

/** The triggers that are chosen need their numbers; those of others do not count. */
function checkNumbers(form: SentForm<typeof RuleForm>) {
  for (const [trigger, { numbers = [] }] of Object.entries(triggerTexts)) {
    for (const { name } of numbers) {
      if (!form.body.triggers.includes(trigger as Trigger)) form.clear(name)
      else if (form.text(name) === '') form.problems[name] = 'Enter a number.'
    }
  }
}

async function channelNameOf(context: PageContext, settings: EmailSettings) {
  const recipients = describeRecipients(settings, await usernamesOf(context, settings.user_ids)).join(', ')

  return `${recipients[0]!.toUpperCase()}${recipients.slice(1)}`.slice(0, maxName).toWellFormed()
}
