import type { ChannelKind } from '#notifications/channels/web-channels.ts'
import type { NotificationRule, Trigger } from '#notifications/rules/notification-rule.ts'
import { triggers } from '#notifications/rules/notification-rule.ts'
import { type Html, html } from '#pages/layout/html.ts'
import { kindTexts } from '../channels/kind-texts.ts'
import { type Numbers, triggerTexts } from './triggers.ts'

export type Conditions = Numbers & Pick<NotificationRule, 'triggers' | 'severityFloor' | 'levels' | 'environments' | 'releases' | 'tags'>

export interface NamedChannel {
  name: string
  kind: ChannelKind
  isActive: boolean
}

/** A rule as one sentence: "When a new error appears in environment production, notify #ops (Slack) and Maintainers by e-mail." */
export function ruleSentence(rule: Conditions, channels: NamedChannel[]) {
  const { all, some } = narrowing(rule)

  return html`When ${inWords(whenClauses(rule), 'or')}${all}, ${
    channels.length > 0 ? html`notify ${inWords(channels.map(channelName), 'and')}.` : 'notify no one yet.'
  }${some.length > 0 && html` ${some.map((one, n) => html`${n > 0 ? ' ' : ''}${one}.`)}`}`
}

export function channelName({ name, kind, isActive }: NamedChannel) {
  return html`<strong>${name}</strong>${kind === 'email' ? ' by e-mail' : ` (${kindTexts[kind].name})`}${!isActive && ', which is off'}`
}

function whenClauses(rule: Conditions) {
  return triggers
    .filter(trigger => rule.triggers.includes(trigger))
    .map(trigger => html`<strong>${triggerTexts[trigger].clause(rule)}</strong>`)
}

/** The conditions of all triggers, and those of some, with what they apply to. */
function narrowing({ triggers, severityFloor, levels, environments, releases, tags }: Conditions) {
  const [hasErrors, hasAlerts] = [some(triggers, 'error'), some(triggers, 'alert') || some(triggers, 'incident')]
  const hasReleases = hasErrors || some(triggers, 'release')
  const isMixed = hasReleases && hasAlerts
  const ofErrors = [
    hasErrors && levels.length > 0 && html` with level ${quoted(levels)}`,
    hasReleases && releases.length > 0 && html` in release ${quoted(releases)}`
  ].filter(part => part !== false)
  const severity = hasAlerts && severityFloor

  return {
    all: [
      environments.length > 0 && html` in ${environments.length > 1 ? 'environments' : 'environment'} ${quoted(environments)}`,
      !isMixed && ofErrors,
      !isMixed && severity && html` with severity ${severity}${severity !== 'critical' && ' or higher'}`,
      tags.length > 0 && html` with ${inWords(tags.map(code), 'and')}`
    ],
    some: isMixed
      ? [
          ...(ofErrors.length > 0 ? [html`Errors only${ofErrors}`] : []),
          ...(severity ? [html`Alerts and incidents only ${severity === 'critical' ? 'with' : 'from'} severity ${severity}`] : [])
        ]
      : []
  }
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
