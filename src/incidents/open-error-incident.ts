import { LockMode } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import { ErrorGroup } from '#errors/groups/error-group.ts'
import { titleOf } from '#errors/groups/present-group.ts'
import { createIssue } from '#issues/create-issue.ts'
import { checkIssuesEnabled } from '#issues/find-issue.ts'
import { Issue } from '#issues/issue.ts'
import { severityOfLevel } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'

const maxTitle = 255

interface NewIncident {
  project: Project
  group: ErrorGroup
  /** Markdown. */
  description: string
  by: Actor
}

/** Opens an incident for an error. Returns the existing one when there is one. */
export function openErrorIncident(em: EntityManager, { project, group: { id }, description, by }: NewIncident) {
  checkIssuesEnabled(project)

  return em.fork().transactional(async em => {
    const group = await em.findOneOrFail(ErrorGroup, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (group.issueId) return em.findOneOrFail(Issue, { id: group.issueId })
    const issue = await createIssue(em, {
      projectId: project.id,
      issueType: 'incident',
      title: titleOf(group).slice(0, maxTitle).toWellFormed(),
      description,
      severity: severityOfLevel(group.level),
      authorId: by.user?.id ?? null,
      chain: by.chain
    })

    group.issueId = issue.id
    await em.flush()

    return issue
  })
}
