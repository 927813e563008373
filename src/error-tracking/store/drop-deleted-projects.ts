import type { ParsedBatch } from '../parse/parsed-batch.ts'

export function projectsOf(findings: ParsedBatch) {
  return Object.values(findings).flatMap((kind: { projectId: number }[]) => kind.map(({ projectId }) => projectId))
}

/** What came for projects that are there; what came for others is counted, and nothing else becomes of it. */
export function withoutProjects(findings: ParsedBatch, there: Set<number>): ParsedBatch {
  if (projectsOf(findings).every(id => there.has(id))) return findings
  const isThere = ({ projectId }: { projectId: number }) => there.has(projectId)
  const lost = [
    ...findings.events.map(({ envelopeId, projectId, day }) => ({ envelopeId, projectId, day, category: 'error', items: 1 })),
    ...findings.accepted
  ].filter(found => !isThere(found))

  return {
    events: findings.events.filter(isThere),
    spikeEvents: findings.spikeEvents.filter(isThere),
    sessions: findings.sessions.filter(isThere),
    sessionAggregates: findings.sessionAggregates.filter(isThere),
    feedback: findings.feedback.filter(isThere),
    attachments: findings.attachments.filter(isThere),
    clientDiscards: findings.clientDiscards.filter(isThere),
    accepted: findings.accepted.filter(isThere),
    dropped: [...findings.dropped, ...lost.map(found => ({ ...found, reason: 'project_gone' }))]
  }
}
