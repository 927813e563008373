import { evaluateExpression } from '../config/evaluate-expression.ts'
import { isMapping, valueAt } from '../config/mapping.ts'
import type { PlanContext } from './context.ts'

const sources: Record<string, string> = {
  api: 'api',
  pushes: 'push',
  web: 'web',
  schedules: 'schedule',
  triggers: 'trigger',
  pipelines: 'pipeline',
  merge_requests: 'merge_request_event'
}

/** Whether `only` and `except` let a job run. Without `only`, it runs for branches and tags. */
export function isSelected(only: unknown, except: unknown, context: PlanContext) {
  return matchesPolicy(only ?? ['branches', 'tags'], context) && !(except != null && matchesPolicy(except, context, 'any'))
}

/** Each part of `only` must match; for `except`, one is enough. */
function matchesPolicy(policy: unknown, context: PlanContext, needed: 'all' | 'any' = 'all') {
  if (!isMapping(policy)) return matchesRefs([policy].flat(), context)
  const parts: boolean[] = []
  const [refs, variables] = [valueAt(policy, 'refs'), valueAt(policy, 'variables')]

  if (refs != null) parts.push(matchesRefs([refs].flat(), context))
  if (Array.isArray(variables)) parts.push(variables.some(expression => evaluateExpression(String(expression), context.variables)))
  // There is no commit to compare with: everything counts as changed.
  if (valueAt(policy, 'changes') != null) parts.push(true)
  if (valueAt(policy, 'kubernetes') != null) parts.push(false)

  return needed === 'all' ? parts.every(Boolean) : parts.some(Boolean)
}

function matchesRefs(refs: unknown[], context: PlanContext) {
  return refs.some(ref => matchesRef(String(ref), context))
}

function matchesRef(ref: string, { ref: name, isTag, source }: PlanContext) {
  if (ref === 'branches') return !isTag
  if (ref === 'tags') return isTag
  if (Object.hasOwn(sources, ref)) return sources[ref] === source

  return ref.startsWith('/')
    ? evaluateExpression(
        '$REF =~ $PATTERN',
        new Map([
          ['REF', name],
          ['PATTERN', ref]
        ])
      )
    : ref === name
}
