/** What can be done, as clients filter by it and record it. */
export const actions = [
  'created',
  'updated',
  'closed',
  'reopened',
  'pushed',
  'commented',
  'merged',
  'joined',
  'left',
  'destroyed',
  'expired',
  'approved'
] as const
export type Action = (typeof actions)[number]

/** What it can be done to: clients' words and what is stored. */
export const targetTypes = {
  issue: 'Issue',
  milestone: 'Milestone',
  merge_request: 'MergeRequest',
  note: 'Note',
  project: 'Project',
  snippet: 'Snippet',
  user: 'User',
  error: 'Error'
} as const
export type TargetWord = keyof typeof targetTypes
export type TargetType = (typeof targetTypes)[TargetWord]

const names: Partial<Record<Action, string>> = {
  closed: 'closed',
  pushed: 'pushed',
  commented: 'commented on',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  destroyed: 'destroyed',
  expired: 'removed due to membership expiration from',
  approved: 'approved'
}

/** What it is called in a record of it: most things are opened, again and again. */
export function actionName(action: Action, targetType: string | null) {
  if (action === 'created' && targetType === 'Project') return 'created'
  if (action === 'reopened' && targetType === 'Error') return 'reopened'

  return names[action] ?? 'opened'
}
