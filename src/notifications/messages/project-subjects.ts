import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import type { Subject } from './subject.ts'

export async function loadProjectSubjects(em: EntityManager, ids: number[], baseUrl: string): Promise<Subject[]> {
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
