import type { EntityManager } from '#platform/database/database.ts'
import type { ReceivedEnvelope } from '../jobs.ts'
import { keepEnvelopes } from './forwarding-store.ts'
import type { ProjectForwardings } from './project-forwardings.ts'

/** Keeps what projects of these envelopes send on. Returns the projects. */
export async function keepForwarded(em: EntityManager, forwardings: ProjectForwardings, envelopes: ReceivedEnvelope[]) {
  const projects: number[] = []

  for (const [projectId, ofProject] of Map.groupBy(envelopes, envelope => envelope.projectId)) {
    const own = ofProject.filter(({ isForwarded }) => !isForwarded)

    if (own.length === 0 || !(await forwardings.has(projectId))) continue
    await keepEnvelopes(em, projectId, own)
    projects.push(projectId)
  }

  return projects
}
