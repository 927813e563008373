import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { EmailSettings } from '../channels/email-channel.ts'
import type { ActiveRule } from './active-rule.ts'
import type { NotificationRule } from './notification-rule.ts'

const recipients: EmailSettings = { roles: ['maintainer', 'owner'], user_ids: [], assignees: true, addresses: [] }

/** The rule behind `send_email` in the alert settings of a project. */
export async function findAlertMailRules(
  em: EntityManager,
  projectId: number
): Promise<(ActiveRule & { rule: Pick<NotificationRule, 'triggers'> })[]> {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('alert_settings')
    .where('sends_email', '=', true)
    .where('project_id', '=', projectId)
    .select('severity_floor')
    .execute()

  return rows.map(({ severity_floor }) => ({
    rule: {
      id: 0,
      projectId,
      name: 'Alert settings',
      triggers: ['alert.triggered', 'alert.resolved'],
      severityFloor: severity_floor,
      levels: [],
      environments: [],
      releases: [],
      tags: [],
      gatherMinutes: 5,
      ignoresUsers: true
    },
    channels: [{ kind: 'email', projectId, hourlyLimit: 20, settings: recipients }]
  }))
}
