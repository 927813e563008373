import { findMonitoredProject } from '#alerts/find-alert.ts'
import type { Viewer } from '#identity/viewer.ts'
import { findIssueProject } from '#issues/find-issue.ts'
import { InvalidInput } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Topic } from '#platform/live/topic.ts'
import { myProjects } from '../home/my-projects.ts'

const maxTopics = 10
const form = /^(errors|new-errors|alerts|issues|tasks):(mine|[1-9]\d{0,14})(?::([1-9]\d{0,14}))?$/

/**
 * The topics that a page names, such as `alerts:17`, `alerts:17:33` or `issues:mine`; `tasks:mine` are those that the user began. Throws unless the user sees these pages: errors and
 * alerts as developer, issues and incidents as reporter.
 */
export async function readTopics(em: EntityManager, user: Viewer, given: unknown): Promise<Topic[]> {
  const topics = String(given ?? '').split(',')

  if (topics.length > maxTopics) throw new InvalidInput(`topics has more than ${maxTopics} entries`)

  return Promise.all(topics.map(topic => readTopic(em.fork(), user, topic)))
}

async function readTopic(em: EntityManager, user: Viewer, topic: string): Promise<Topic> {
  const [, kind = '', of = '', id] = form.exec(topic) ?? []

  if (!kind) throw new InvalidInput('topics is invalid')
  const isIssue = kind === 'issues'

  if (topic === 'tasks:mine') return { kind: 'tasks-of', projectIds: [user.id] }
  if (of === 'mine') {
    const { monitored, withIncidents } = await myProjects(em, user)

    return { kind, projectIds: isIssue ? withIncidents : monitored }
  }
  const project = await (isIssue ? findIssueProject : findMonitoredProject)(em, user, of)

  return { kind, projectIds: [project.id], ...(id && { id: Number(id) }) }
}
