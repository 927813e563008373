import type { OutboxEntry, OutboxKind } from '#outbox/outbox-entry.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { loadAlertSubjects } from './alert-subjects.ts'
import { loadErrorSubjects } from './error-subjects.ts'
import { loadFeedbackSubjects } from './feedback-subjects.ts'
import { loadIssueSubjects } from './issue-subjects.ts'
import { loadReleaseSubjects } from './release-subjects.ts'
import type { Subject } from './subject.ts'

const loaders = {
  error: loadErrorSubjects,
  feedback: loadFeedbackSubjects,
  release: loadReleaseSubjects,
  alert: loadAlertSubjects,
  issue: loadIssueSubjects,
  project: loadProjectSubjects
}
type Family = keyof typeof loaders

export interface Subjects {
  /** Undefined when it was deleted in the meantime. */
  of(entry: Pick<OutboxEntry, 'kind' | 'subjectId'>): Subject | undefined
}

/** What the entries are about, as it is now. */
export async function loadSubjects(em: EntityManager, entries: OutboxEntry[], baseUrl: string): Promise<Subjects> {
  const byFamily = Map.groupBy(entries, ({ kind }) => familyOf(kind))
  const loaded = new Map<string, Subject>()

  for (const [family, group] of byFamily) {
    const ids = [...new Set(group.map(({ subjectId }) => subjectId))]

    for (const subject of await loaders[family](em, ids, baseUrl)) loaded.set(`${family} ${subject.id}`, subject)
  }

  return { of: ({ kind, subjectId }) => loaded.get(`${familyOf(kind)} ${subjectId}`) }
}

/** Comments belong to issues. */
function familyOf(kind: OutboxKind) {
  const [family] = kind.split('.')

  return (family === 'note' ? 'issue' : family) as Family
}

async function loadProjectSubjects(em: EntityManager, ids: number[], baseUrl: string): Promise<Subject[]> {
  const projects = await em.find(Project, { id: { $in: ids } })

  return projects.map(({ id, name, fullPath }) => ({
    type: 'project',
    id,
    projectId: id,
    title: name,
    url: `${baseUrl}/projects/${id}`,
    status: 'active',
    environments: [],
    releases: [],
    tags: [],
    minRole: Role.guest,
    assigneeIds: [],
    facts: [['Path', fullPath]]
  }))
}
