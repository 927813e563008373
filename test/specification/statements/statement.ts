import { type NotApplicableName, notApplicable } from '#api/deprecations/not-applicable.ts'
import { type Deprecation, type DeprecationName, deprecations } from '#lib/deprecations/schedule.ts'

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

/** Whether a statement holds, in which versions, or why it does not concern this API. */
export function resultOf(statement: Statement) {
  if (typeof statement === 'string') return 'Holds'
  if ('notApplicable' in statement) return `Not offered: ${notApplicable[statement.notApplicable].reason}`
  const { removedIn }: Deprecation = deprecations[statement.deprecation]

  return removedIn === 'v5' ? 'Holds until v5' : `Holds from ${removedIn}`
}

export function textOf(statement: Statement) {
  if (typeof statement === 'string') return statement

  return 'says' in statement ? statement.says : notApplicable[statement.notApplicable].what
}
