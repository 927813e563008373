import type { ExpandedChannel } from '../channels/expand-channel.ts'
import type { NotificationRule } from './notification-rule.ts'

type Conditions = Pick<
  NotificationRule,
  'id' | 'projectId' | 'name' | 'severityFloor' | 'levels' | 'environments' | 'releases' | 'tags' | 'gatherMinutes'
>

/** A rule with the channels that it sends to. */
export interface ActiveRule {
  rule: Conditions & { triggers: string[]; ignoresUsers?: boolean }
  channels: ExpandedChannel[]
}
