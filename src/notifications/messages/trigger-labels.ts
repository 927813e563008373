/** A rule that was given no name on its page is named after one of its triggers. */
export const triggerLabels = {
  'error.new': 'A new error appears',
  'error.regressed': 'A resolved error comes back',
  'error.frequent': 'An error is frequent',
  'error.unseen': 'An error is left unattended',
  'error.spike': 'An error spikes',
  'error.users': 'An error affects many users',
  'feedback.new': 'A user gives feedback',
  'release.unhealthy': 'A release crashes too often',
  'alert.triggered': 'An alert is triggered',
  'alert.acknowledged': 'An alert is acknowledged',
  'alert.resolved': 'An alert is resolved',
  'incident.opened': 'An incident is opened',
  'incident.closed': 'An incident is closed'
}

const names = new Set<string>(Object.values(triggerLabels).map(label => `rule "${label}"`))

/** Whether the reason of a delivery names a rule after a trigger, which need not be the one that matched. */
export function isNamedAfterTrigger(reason: string) {
  return names.has(reason)
}
