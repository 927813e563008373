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

/** By the name that clients use, the stored type. */
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
export type TargetName = keyof typeof targetTypes
export type TargetType = (typeof targetTypes)[TargetName]

const names: Partial<Record<Action, string>> = {
  pushed: 'pushed',
  closed: 'closed',
  commented: 'commented on',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  destroyed: 'destroyed',
  expired: 'removed due to membership expiration from',
  approved: 'approved'
}

/** The `action_name` in responses. Of a push, `push_data.action` says what it did. */
export function actionName(action: Action, targetType: string | null) {
  if (action === 'created' && targetType === 'Project') return 'created'
  if (action === 'reopened' && targetType === 'Error') return 'reopened'

  return names[action] ?? 'opened'
}
