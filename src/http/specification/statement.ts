import { stageOf, type Version } from '../deprecations/deprecations.ts'
import { type NotApplicableName, notApplicable } from '../deprecations/not-applicable.ts'
import { type Deprecation, type DeprecationName, deprecations } from '../deprecations/schedule.ts'

/** What the specification says of one thing; a test is named after it. */
export type Statement = string | { says: string; deprecation: DeprecationName } | { notApplicable: NotApplicableName }

export interface Section {
  title: string
  statements: Record<string, Statement>
}

export interface Chapter {
  title: string
  sections: readonly Section[]
}

/** The state of a statement in the configured GitLab version. */
export function stateOf(version: Version, statement: Statement) {
  if (typeof statement === 'string') return 'Works'
  if ('notApplicable' in statement) return `Not applicable: ${notApplicable[statement.notApplicable].reason}`
  const { removedIn }: Deprecation = deprecations[statement.deprecation]

  if (stageOf(version, statement.deprecation) === 'removed') return `In effect since ${removedIn}`

  return removedIn === 'v5' ? 'Works in v4; ends with v5' : `Takes effect in ${removedIn}`
}

export function textOf(statement: Statement) {
  if (typeof statement === 'string') return statement

  return 'says' in statement ? statement.says : notApplicable[statement.notApplicable].what
}
