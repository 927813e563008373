import type { ConfigFiles } from '../config/config-files.ts'
import type { Variables } from '../config/evaluate-expression.ts'

/** A branch or tag that pipelines can run for. */
export interface Target {
  ref: string
  isTag: boolean
  sha: string
}

/** What a pipeline would run for. */
export interface PlanTarget extends Target {
  /** `push`, `api`, `web` … */
  source: string
  variables: Variables
}

/** What the rules of a configuration see. */
export interface PlanContext extends PlanTarget {
  files: ConfigFiles
  /** When the evaluation of rules is given up, in the time of `performance.now()`. */
  endsAt: number
  /** The files that changed since a branch, tag or commit. Undefined when there is no such commit. */
  changedSince(revision: string): Promise<string[] | undefined>
}

/** The same context with more variables, which win. */
export function withVariables<Context extends { variables: Variables }>(context: Context, more: Record<string, unknown>): Context {
  return {
    ...context,
    variables: new Map([...context.variables, ...Object.entries(more).map(([key, value]) => [key, String(value)] as const)])
  }
}
