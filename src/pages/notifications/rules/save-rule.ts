import { findOrAddEmailChannel } from '#notifications/channels/find-or-add-email-channel.ts'
import { rules } from '#notifications/rules/rule-resource.ts'
import { catchValidation, type PageContext, type Problems } from '#pages/projects/page-context.ts'
import { describeRecipients, hasRecipients, toEmailSettings, usernamesOf } from '../email-form.ts'
import { findProblems, putRow, rethrowWithSettings } from '../save-row.ts'
import { type RuleForm, toRuleBody } from './rule-form.ts'
import { triggerTexts } from './triggers.ts'

const maxName = 100

/** Saves a rule. Recipients that the form names become an e-mail channel, together with the rule or not at all. */
export async function saveRule(context: PageContext, form: RuleForm, id?: number) {
  const { em, admin } = context
  const email = hasRecipients(form.email) ? await toEmailSettings(context, form.email) : undefined

  const named = { ...form, name: form.name || nameOf(form) }
  const problems: Problems = {
    ...(await findProblems(context, rules, toRuleBody(named), id)),
    ...email?.problems,
    ...missingChoices(form),
    ...missingNumbers(form)
  }

  if (Object.keys(problems).length > 0) return { problems }
  const settings = email?.settings
  const recipients = settings && describeRecipients(settings, await usernamesOf(context, settings.user_ids)).join(', ')

  return catchValidation(() =>
    em.fork().transactional(async em => {
      const channel =
        settings && (await findOrAddEmailChannel(em, admin, channelName(recipients!), settings, new Date()).catch(rethrowWithSettings))

      return putRow(em, admin, rules, toRuleBody(named, [...new Set([...form.channelIds, ...(channel ? [channel.id] : [])])]), id)
    })
  )
}

function missingChoices({ triggers, channelIds, email }: RuleForm): Problems {
  return {
    ...(triggers.length === 0 && { triggers: 'Choose when the rule sends something.' }),
    ...(channelIds.length === 0 && !hasRecipients(email) && { channel_ids: 'Choose a channel, or enter recipients of e-mail.' })
  }
}

/** The triggers that were chosen need their numbers. */
function missingNumbers({ triggers, ...form }: RuleForm): Problems {
  const missing = triggers.flatMap(trigger => (triggerTexts[trigger].numbers ?? []).filter(({ attribute }) => form[attribute] === ''))

  return Object.fromEntries(missing.map(({ name }) => [name, 'Enter a number.']))
}

function channelName(recipients: string) {
  return `${recipients[0]!.toUpperCase()}${recipients.slice(1)}`.slice(0, maxName).toWellFormed()
}

/** After its first trigger. */
function nameOf({ triggers }: RuleForm) {
  return triggers[0] ? triggerTexts[triggers[0]].label : 'Rule'
}
