import type { Extra } from '#platform/extra.ts'
import { handle } from '#platform/queue/handler.ts'
import { IssueLink } from './issue-link.ts'
import { notifyDueIssues } from './jobs.ts'
import { showMilestone } from './milestone-page.ts'
import { notifyOfDueIssues } from './notify-of-due-issues.ts'
import { planning } from './routes.ts'
import { searchAllMilestones } from './search-milestones.ts'

export const extra: Extra = {
  name: 'planning',
  entities: [IssueLink],
  routes: planning,
  jobs: { maintenance: [handle(notifyDueIssues, (_items, { em }) => notifyOfDueIssues(em, new Date()))] },
  // On the day before; each issue once, so that more runs catch up after a pause.
  schedule: [{ id: 'notify-due-issues', contract: notifyDueIssues, item: {}, pattern: '0 50 * * * *' }],
  searchScopes: { milestones: searchAllMilestones },
  showNamespacePage: showMilestone
}
