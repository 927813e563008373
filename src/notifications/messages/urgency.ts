import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import type { Subject } from './subject.ts'

const changes = /^(alert\.|issue\.(opened|closed|reopened)$)/

/**
 * Critical and high alerts and incidents never wait, neither for others nor for the hourly limit. Errors have levels instead of
 * severities: most of them would be high.
 */
export function isUrgent({ entry, subject }: { entry: OutboxEntry; subject: Subject }) {
  const isRanked = subject.type === 'alert' || subject.type === 'incident'

  return isRanked && changes.test(entry.kind) && (subject.severity === 'critical' || subject.severity === 'high')
}
