import { matchesGlob } from '#lib/glob.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import { CiVariable, openValue } from './variable.ts'

/** What decides which variables a job gets. */
export interface Circle {
  project: Project
  /** Whether the job is on the default branch. */
  isProtected: boolean
  /** Undefined: the job has none. */
  environment?: string | undefined
}

export interface StoredVariable {
  key: string
  value: string
  isMasked: boolean
  isFile: boolean
  isRaw: boolean
}

type KeySource = Parameters<typeof openValue>[0]

/**
 * The variables of the installation, of the groups above the project, and of the project. One key occurs once: a nearer owner
 * wins over a farther one, and then a more specific environment scope over a general one.
 */
export async function variablesFor(em: EntityManager, keys: KeySource, circle: Circle): Promise<StoredVariable[]> {
  const { project, isProtected, environment } = circle
  const { lineage } = await em.findOneOrFail(Namespace, { id: project.namespace.id })
  const variables = await em.find(CiVariable, {
    $or: [{ projectId: project.id }, { groupId: { $in: lineage } }, { projectId: null, groupId: null }],
    ...(!isProtected && { isProtected: false })
  })
  const distance = ({ projectId, groupId }: CiVariable) => (projectId ? lineage.length : groupId ? lineage.indexOf(groupId) : -1)
  const sorted = variables
    .filter(({ environmentScope }) => matchesScope(environmentScope, environment))
    .sort((a, b) => distance(a) - distance(b) || specificity(a) - specificity(b))
  const winners = new Map(sorted.map(variable => [variable.key, variable]))

  return (await Promise.all([...winners.values()].map(variable => open(keys, variable)))).filter(found => found !== undefined)
}

function matchesScope(scope: string, environment: string | undefined) {
  return scope === '*' || (environment !== undefined && matchesGlob(scope, environment))
}

/** An exact name is more specific than a pattern, and a long pattern than a short one. */
function specificity({ environmentScope: scope }: CiVariable) {
  return scope.includes('*') ? scope.length : Number.POSITIVE_INFINITY
}

/** One that was encrypted with another SECRET_KEY is left out. */
async function open(keys: KeySource, variable: CiVariable): Promise<StoredVariable | undefined> {
  const value = await openValue(keys, variable)
  const { key, isMasked, isRaw, type } = variable

  return value === undefined ? undefined : { key, value, isMasked, isRaw, isFile: type === 'file' }
}
