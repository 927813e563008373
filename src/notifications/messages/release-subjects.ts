import { findReleasesWithHealth } from '#errors/releases/release-store.ts'
import { count } from '#lib/counted.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { presentFacts, type Subject } from './subject.ts'

/** With the health of the last two hours, which rules look at. */
export async function loadReleaseSubjects(em: EntityManager, ids: number[], baseUrl: string): Promise<Subject[]> {
  const rows = await findReleasesWithHealth(em, ids)

  return rows.map(({ id, projectId, version, environments, started, crashed }) => ({
    type: 'release',
    id,
    projectId,
    title: version,
    url: `${baseUrl}/projects/${projectId}/releases/${encodeURIComponent(version)}`,
    status: 'open',
    environments: environments ?? [],
    releases: [version],
    tags: [],
    minRole: Role.developer,
    assigneeIds: [],
    facts: presentFacts([
      ['Crash-free sessions', started ? `${((1 - Math.min(1, crashed! / started)) * 100).toFixed(1)} %` : undefined],
      ['Sessions', started ? count(started) : undefined],
      ['Environments', environments?.join(', ')]
    ])
  }))
}
