import { evaluateExpression } from '../config/evaluate-expression.ts'
import { InvalidConfig } from '../config/invalid-config.ts'
import { isMapping, type Mapping, valueAt } from '../config/mapping.ts'
import { matchesPath } from '../config/match-path.ts'
import type { PlanContext } from './context.ts'

/** As GitLab has it: after so many comparisons, `exists` counts as true. */
const maxComparisons = 50_000

/** The first rule whose conditions all hold. */
export async function findRule(rules: unknown, context: PlanContext): Promise<Mapping | undefined> {
  for (const rule of [rules].flat(10)) {
    if (performance.now() > context.endsAt) throw new InvalidConfig('The rules take too long to evaluate: simplify their patterns.')
    if (isMapping(rule) && (await holds(rule, context))) return rule
  }

  return undefined
}

async function holds(rule: Mapping, context: PlanContext) {
  const [condition, changes, exists] = ['if', 'changes', 'exists'].map(key => valueAt(rule, key))

  return (
    (condition == null || evaluateExpression(String(condition), context.variables)) &&
    (changes == null || (await hasChanges(changes, context))) &&
    (exists == null || (await hasAny(pathsOf(exists), context)))
  )
}

async function hasAny(patterns: string[], { files }: PlanContext) {
  const entries = await files.list()

  return matchesAny(
    patterns,
    entries.map(({ path }) => path)
  )
}

/** Without a commit to compare with, everything is new. */
async function hasChanges(changes: unknown, context: PlanContext) {
  const since = valueAt(changes, 'compare_to')
  const changed = typeof since === 'string' ? await context.changedSince(since) : undefined

  return changed === undefined || matchesAny(pathsOf(changes), changed)
}

function pathsOf(given: unknown) {
  return [isMapping(given) ? valueAt(given, 'paths') : given].flat().map(path => String(path).replace(/^\//, ''))
}

function matchesAny(patterns: string[], paths: string[]) {
  if (patterns.length * paths.length > maxComparisons) return true

  return patterns.some(pattern => paths.some(path => matchesPath(pattern, path)))
}
