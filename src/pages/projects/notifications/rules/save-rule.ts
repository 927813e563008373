import { findOrAddEmailChannel } from '../../../../notifications/channels/find-or-add-email-channel.ts'
import { rules } from '../../../../notifications/rules/rule-resource.ts'
import { catchValidation, type PageContext, type Problems } from '../../page-context.ts'
import { describeRecipients, hasRecipients, toEmailSettings, usernamesOf } from '../email/email-form.ts'
import { putRow, withSettings } from '../save-row.ts'
import { type RuleForm, toRuleBody } from './rule-form.ts'
import { triggerTexts } from './triggers.ts'

const maxName = 100

/** Saves a rule. Recipients that the form names become an e-mail channel, together with the rule or not at all. */
export async function saveRule(context: PageContext, form: RuleForm, id?: number) {
  const { em, admin } = context
  const email = hasRecipients(form.email) ? await toEmailSettings(context, form.email) : undefined

  if (email?.problems) return { problems: email.problems }
  if (form.triggers.length === 0) return { problems: { triggers: 'Choose when the rule sends something.' } }
  if (form.channelIds.length === 0 && !email) return { problems: { channel_ids: 'Choose a channel, or enter recipients of e-mail.' } }
  const missing = missingNumbers(form)

  if (Object.keys(missing).length > 0) return { problems: missing }
  const recipients = email && describeRecipients(email.settings, await usernamesOf(context, email.settings.user_ids)).join(', ')
  const named = { ...form, name: form.name || nameOf(form) }

  return catchValidation(() =>
    em.fork().transactional(async em => {
      const channel =
        email && (await findOrAddEmailChannel(em, admin, channelName(recipients!), email.settings, new Date()).catch(rethrowForForm))

      return putRow(em, admin, rules, toRuleBody(named, [...new Set([...form.channelIds, ...(channel ? [channel.id] : [])])]), id)
    })
  )
}

/** The triggers that were chosen need their numbers. */
function missingNumbers({ triggers, ...form }: RuleForm): Problems {
  const missing = triggers.flatMap(trigger => (triggerTexts[trigger].numbers ?? []).filter(({ attribute }) => form[attribute] === ''))

  return Object.fromEntries(missing.map(({ name }) => [name, 'Enter a number.']))
}

function rethrowForForm(error: unknown): never {
  throw withSettings(error)
}

function channelName(recipients: string) {
  return `${recipients[0]!.toUpperCase()}${recipients.slice(1)}`.slice(0, maxName).toWellFormed()
}

/** After its first trigger. */
function nameOf({ triggers }: RuleForm) {
  return triggerTexts[triggers[0]!].label
}
