import { counted } from '#lib/counted.ts'
import { triggerLabels } from '#notifications/messages/trigger-labels.ts'
import type { NotificationRule, Trigger } from '#notifications/rules/notification-rule.ts'

interface TriggerText {
  /** In forms. */
  label: string
  hint?: string
  /** What it needs, by the names of the REST API. */
  numbers?: { name: 'threshold_events' | 'threshold_minutes' | 'threshold_users' | 'crash_free_percent' | 'unseen_hours'; label: string }[]
  /** In the sentence of a rule, after "When". */
  clause: (rule: Numbers) => string
}

export type Numbers = Partial<
  Pick<NotificationRule, 'thresholdEvents' | 'thresholdMinutes' | 'thresholdUsers' | 'crashFreePercent' | 'unseenHours'>
>

export const triggerTexts: Record<Trigger, TriggerText> = {
  'error.new': { label: triggerLabels['error.new'], hint: 'It occurs for the first time.', clause: () => 'a new error appears' },
  'error.regressed': { label: triggerLabels['error.regressed'], clause: () => 'a resolved error comes back' },
  'error.frequent': {
    label: triggerLabels['error.frequent'],
    hint: 'It exceeds a number of events within a time you set.',
    numbers: [
      { name: 'threshold_events', label: 'More events than' },
      { name: 'threshold_minutes', label: 'within minutes' }
    ],
    clause: ({ thresholdEvents: events, thresholdMinutes: minutes }) =>
      `an error has more than ${counted(events ?? 0, 'event')} within ${counted(minutes ?? 0, 'minute')}`
  },
  'error.unseen': {
    label: triggerLabels['error.unseen'],
    hint: 'Unresolved for a set number of hours, with no assignee or comment.',
    numbers: [{ name: 'unseen_hours', label: 'Hours' }],
    clause: ({ unseenHours: hours }) => `an error has no assignee and no comment for ${counted(hours ?? 0, 'hour')}`
  },
  'error.spike': {
    label: triggerLabels['error.spike'],
    hint: 'At least 20 events in an hour, and three times as many as in any hour of the day before.',
    clause: () => 'an error spikes'
  },
  'error.users': {
    label: triggerLabels['error.users'],
    hint: 'More new users within an hour than you set.',
    numbers: [{ name: 'threshold_users', label: 'More users than' }],
    clause: ({ thresholdUsers: users }) => `an error affects more than ${counted(users ?? 0, 'user')} within an hour`
  },
  'feedback.new': { label: triggerLabels['feedback.new'], hint: 'On an error or on anything.', clause: () => 'a user gives feedback' },
  'release.unhealthy': {
    label: triggerLabels['release.unhealthy'],
    hint: 'Of at least 50 sessions within two hours, a smaller share than you set ends without a crash. Once a day for each release.',
    numbers: [{ name: 'crash_free_percent', label: 'Crash-free sessions below (%)' }],
    clause: ({ crashFreePercent: percent }) => `less than ${percent ?? 0} % of the sessions of a release are crash-free`
  },
  'alert.triggered': { label: triggerLabels['alert.triggered'], hint: 'Or its severity rises.', clause: () => 'an alert is triggered' },
  'alert.acknowledged': { label: triggerLabels['alert.acknowledged'], clause: () => 'an alert is acknowledged' },
  'alert.resolved': { label: triggerLabels['alert.resolved'], clause: () => 'an alert is resolved' },
  'incident.opened': { label: triggerLabels['incident.opened'], clause: () => 'an incident is opened' },
  'incident.closed': { label: triggerLabels['incident.closed'], clause: () => 'an incident is closed' }
}
