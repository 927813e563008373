import { ValidationFailed } from '#lib/refusals.ts'
import type { FeatureFlag, Scope, Strategy } from './feature-flag.ts'

/** A strategy as it is sent: with an id it changes, without it is added. */
export interface StrategyChange {
  id?: number
  name?: string
  parameters?: Record<string, string>
  scopes?: ScopeChange[]
  isRemoved?: boolean
}

export interface ScopeChange {
  id?: number
  environment?: string
  isRemoved?: boolean
}

const maxStrategies = 50
const maxScopes = 50
const percentage = /^(100|[1-9]?\d)$/
const stickinesses = ['default', 'userId', 'sessionId', 'random']
const group = /^[a-z]{1,32}$/

/** What the parameters of each strategy must be. */
const checks: Record<string, Record<string, (value: string) => boolean>> = {
  default: {},
  gradualRolloutUserId: { groupId: value => group.test(value), percentage: value => percentage.test(value) },
  userWithId: { userIds: value => value.length > 0 && value.split(',').every(id => id.trim().length > 0 && id.length <= 256) },
  flexibleRollout: {
    groupId: value => group.test(value),
    rollout: value => percentage.test(value),
    stickiness: value => stickinesses.includes(value)
  }
}

/** Strategies and scopes that are not mentioned stay. */
export function changeStrategies(flag: FeatureFlag, changes: StrategyChange[]) {
  const nextId = () => ++flag.lastPartId
  const strategies = changeParts(flag.strategies, changes, (former: Strategy | undefined, change) => ({
    id: former?.id ?? nextId(),
    name: change.name ?? former?.name ?? '',
    parameters: change.parameters ?? former?.parameters ?? {},
    scopes: changeParts(former?.scopes ?? [], change.scopes ?? [], (scope: Scope | undefined, { environment }) => ({
      id: scope?.id ?? nextId(),
      environment: environment ?? scope?.environment ?? '*'
    }))
  }))

  checkStrategies(strategies)
  flag.strategies = strategies
}

function changeParts<Part extends { id: number }, Change extends { id?: number; isRemoved?: boolean }>(
  parts: Part[],
  changes: Change[],
  apply: (former: Part | undefined, change: Change) => Part
) {
  const byId = new Map(parts.map(part => [part.id, part]))
  const added: Part[] = []

  for (const change of changes) {
    const former = change.id === undefined ? undefined : byId.get(change.id)

    if (change.id !== undefined && !former) throw new ValidationFailed({ strategies: [`have no part with id ${change.id}`] })
    if (change.isRemoved) byId.delete(change.id ?? 0)
    else if (former) byId.set(former.id, apply(former, change))
    else added.push(apply(undefined, change))
  }

  return [...byId.values(), ...added]
}

function checkStrategies(strategies: Strategy[]) {
  const reasons = strategies.flatMap(strategy => problemsOf(strategy))

  if (strategies.length > maxStrategies) reasons.push(`are limited to ${maxStrategies}`)
  if (reasons.length > 0) throw new ValidationFailed({ strategies: [...new Set(reasons)] })
}

function problemsOf({ name, parameters, scopes }: Strategy) {
  const check = Object.hasOwn(checks, name) ? checks[name]! : undefined

  if (!check) return [`must have one of the names ${Object.keys(checks).join(', ')}`]
  const expected = Object.keys(check).sort().join(', ') || 'none'
  const given = Object.keys(parameters).sort().join(', ') || 'none'

  if (given !== expected) return [`of the name ${name} have the parameters: ${expected}`]

  return [
    ...Object.entries(check).flatMap(([key, isValid]) => (isValid(parameters[key]!) ? [] : [`have an invalid ${key}`])),
    ...(scopes.length > maxScopes ? [`are limited to ${maxScopes} scopes each`] : []),
    ...(hasDuplicates(scopes.map(({ environment }) => environment)) ? ['have each environment once'] : [])
  ]
}

function hasDuplicates(texts: string[]) {
  return new Set(texts).size < texts.length
}
