import type { ChannelKind } from '#notifications/channels/web-channels.ts'
import type { NotificationRule, Trigger } from '#notifications/rules/notification-rule.ts'
import { triggers } from '#notifications/rules/notification-rule.ts'
import { type Html, html } from '#pages/layout/html.ts'
import { kindTexts } from '../channels/kind-texts.ts'
import { triggerTexts } from './triggers.ts'

type Numbers = Partial<Pick<NotificationRule, 'thresholdEvents' | 'thresholdMinutes' | 'unseenHours'>>
export type Conditions = Numbers & Pick<NotificationRule, 'triggers' | 'severityFloor' | 'levels' | 'environments' | 'releases' | 'tags'>

export interface NamedChannel {
  name: string
  kind: ChannelKind
  isActive: boolean
}

/** A rule as one sentence: "When a new error appears in production, notify #ops (Slack) and Maintainers by e-mail." */
export function ruleSentence(rule: Conditions, channels: NamedChannel[]) {
  return html`When ${inWords(whenClauses(rule), 'or')}${narrowing(rule)}, ${
    channels.length > 0 ? html`notify ${inWords(channels.map(channelName), 'and')}.` : 'notify no one yet.'
  }`
}

export function channelName({ name, kind, isActive }: NamedChannel) {
  return html`<strong>${name}</strong>${kind === 'email' ? ' by e-mail' : ` (${kindTexts[kind].name})`}${!isActive && ', which is off'}`
}

function whenClauses(rule: Conditions) {
  return triggers
    .filter(trigger => rule.triggers.includes(trigger))
    .map(trigger => html`<strong>${triggerTexts[trigger].clause(rule)}</strong>`)
}

/** Each condition with what it applies to, where the rule has other triggers, too. */
function narrowing({ triggers, severityFloor, levels, environments, releases, tags }: Conditions) {
  const [hasErrors, hasAlerts] = [some(triggers, 'error'), some(triggers, 'alert') || some(triggers, 'incident')]
  const ofErrors = hasAlerts ? ' (errors)' : ''
  const ofAlerts = hasErrors ? ' (alerts and incidents)' : ''

  return [
    environments.length > 0 && html` in ${quoted(environments)}`,
    hasErrors && levels.length > 0 && html` with level ${quoted(levels)}${ofErrors}`,
    hasErrors && releases.length > 0 && html` in release ${quoted(releases)}${ofErrors}`,
    hasAlerts && severityFloor && html` with severity ${severityFloor}${severityFloor !== 'critical' && ' or higher'}${ofAlerts}`,
    tags.length > 0 && html` with ${inWords(tags.map(code), 'and')}`
  ]
}

function some(triggers: Trigger[], subject: string) {
  return triggers.some(trigger => trigger.startsWith(subject))
}

function quoted(values: string[]) {
  return inWords(values.map(code), 'or')
}

function code(value: string) {
  return html`<code>${value}</code>`
}

/** "a, b and c". */
export function inWords(parts: Html[], conjunction: 'and' | 'or') {
  return parts.map((part, n) => html`${n > 0 && (n === parts.length - 1 ? ` ${conjunction} ` : ', ')}${part}`)
}
