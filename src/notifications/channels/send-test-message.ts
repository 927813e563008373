import type { Project } from '#projects/project.ts'
import type { Outcome, SendDeps } from '../deliveries/outcome.ts'
import { sendToChannel } from '../deliveries/send-to-channel.ts'
import { sendMail } from '../mail/send-by-mail.ts'
import type { Message } from '../messages/message.ts'
import type { NotificationChannel } from './notification-channel.ts'

interface Test {
  channel: NotificationChannel
  project: Project
  /** Who sends it: the test of an e-mail channel goes only to this user. */
  user: { id: number; name: string; username: string; email: string }
}

/** Sends a test to the receiver of a channel at once, and returns its answer. An incident that it opens is resolved at once. */
export async function sendTestMessage({ channel, project, user }: Test, deps: SendDeps, at: Date): Promise<Outcome> {
  const message = testMessage(channel, project, user, deps.config.baseUrl, at)

  if (channel.kind === 'email') return sendMail({ name: user.name, address: user.email }, message, deps)
  const outcome = await sendToChannel(channel, message, deps)

  if (channel.kind === 'pagerduty' && outcome.status === 'sent') await sendToChannel(channel, resolvedOf(message), deps)

  return outcome
}

function resolvedOf(message: Message): Message {
  return { ...message, occurrences: message.occurrences.map(one => ({ ...one, entry: { ...one.entry, kind: 'alert.resolved' } })) }
}

function testMessage(channel: NotificationChannel, project: Project, user: Test['user'], baseUrl: string, at: Date): Message {
  const url = `${baseUrl}/projects/${project.id}`

  return {
    id: `notification-test-${channel.id}-${at.getTime()}`,
    project: { id: project.id, name: project.name, url },
    occurrences: [
      {
        entry: { id: 0, kind: 'alert.triggered', projectId: project.id, subjectId: 0, actorId: user.id, data: {}, createdAt: at },
        actor: user,
        subject: {
          type: 'alert',
          id: 0,
          projectId: project.id,
          title: `Test of the channel "${channel.name}"`,
          url,
          status: 'triggered',
          severity: 'info',
          environments: [],
          releases: [],
          tags: [],
          minRole: 0,
          assigneeIds: [],
          facts: [['Description', `${user.name} sent this test. Notifications from ${project.name} arrive here.`]]
        }
      }
    ],
    total: 1,
    url: `${url}/notifications`,
    worst: 'info',
    reason: 'a test',
    isLimited: false,
    at,
    isTest: true
  }
}
