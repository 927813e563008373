import type { Findings } from '../parse/parsed-batch.ts'

export function projectsOf(findings: Findings) {
  return Object.values(findings).flatMap((kind: { projectId: number }[]) => kind.map(({ projectId }) => projectId))
}

/** What came for projects that are there; what came for others is counted, and nothing else becomes of it. */
export function withoutProjects(findings: Findings, there: Set<number>): Findings {
  if (projectsOf(findings).every(id => there.has(id))) return findings
  const isThere = ({ projectId }: { projectId: number }) => there.has(projectId)
  const lost = [
    ...findings.events.map(({ envelopeId, projectId, day }) => ({ envelopeId, projectId, day, category: 'error', items: 1 })),
    ...findings.keeps
  ].filter(found => !isThere(found))

  return {
    events: findings.events.filter(isThere),
    counted: findings.counted.filter(isThere),
    sessions: findings.sessions.filter(isThere),
    tallies: findings.tallies.filter(isThere),
    feedback: findings.feedback.filter(isThere),
    attachments: findings.attachments.filter(isThere),
    losses: findings.losses.filter(isThere),
    keeps: findings.keeps.filter(isThere),
    drops: [...findings.drops, ...lost.map(found => ({ ...found, reason: 'project_gone' }))]
  }
}
