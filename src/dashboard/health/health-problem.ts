import type { Html } from '#pages/layout/html.ts'

/** `high`: items are lost or wait. `medium`: someone should look. `low`: a hint, with which all is well. */
export type ProblemSeverity = 'high' | 'medium' | 'low'

export interface HealthProblem {
  severity: ProblemSeverity
  title: Html
  /** How to mend it. */
  remedy: Html
}

export function problem(severity: ProblemSeverity, title: Html, remedy: Html): HealthProblem {
  return { severity, title, remedy }
}

/** Items per second. */
export function rate(perSecond: number) {
  return perSecond >= 10 ? String(Math.round(perSecond)) : perSecond.toFixed(perSecond >= 0.1 || perSecond === 0 ? 1 : 2)
}
