import { Integration } from '#alerts/integrations/integration.ts'
import { findUserId } from '#errors/search/search-context.ts'
import type { Viewer } from '#identity/viewer.ts'
import { similarName } from '#lib/search/similar-name.ts'
import { quote, SearchProblem, splitSearch, type Term } from '#lib/search/split-search.ts'
import { severities } from '#lib/severity.ts'
import { isSeverity } from './filter-problems.ts'
import { isStarted, type ListQuery, statusTabs, toMs } from './list-query.ts'
import type { ListScope } from './list-scope.ts'

interface Context {
  scope: ListScope
  viewer: Viewer
  now: Date
}

type ReadCondition = (value: string, context: Context) => Partial<ListQuery> | Promise<Partial<ListQuery>>

const isValues = [...statusTabs, 'firing', 'assigned', 'unassigned']

/** What alerts can be searched by, beside words. */
const conditions: Record<string, ReadCondition> = {
  is: readIs,
  severity: readSeverity,
  service: service => ({ service }),
  environment: environment => ({ environment }),
  integration: async (name, context) => ({ integration: await findIntegration(name, context) }),
  assigned: async (name, context) => ({ assignee: await findAssignee(name, context) }),
  project: (name, { scope }) => ({ project: findProject(name, scope) }),
  started: readStarted
}

/** Other names of conditions: those that the search of errors has, and what people try. */
const aliases: Record<string, string> = {
  status: 'is',
  level: 'severity',
  env: 'environment',
  assignee: 'assigned',
  age: 'started',
  'first-seen': 'started',
  firstSeen: 'started'
}

/** The conditions in the search field, such as `severity:high+`, as the filters that show them. The words stay in the search. */
export async function readConditions(query: ListQuery, context: Context): Promise<{ query: ListQuery; problem?: string }> {
  const words: string[] = []
  let read = query

  try {
    for (const term of splitSearch(query.search)) {
      const readCondition = conditionOf(term)

      if (readCondition) read = { ...read, ...(await readCondition(term.value, context)) }
      else words.push(textOf(term))
    }
  } catch (error) {
    if (!(error instanceof SearchProblem)) throw error

    return { query, problem: error.message }
  }

  return { query: { ...read, search: words.join(' ') } }
}

/** Undefined for text: titles of alerts have colons too. */
function conditionOf({ key, value }: Term) {
  if (!key) return undefined
  const name = Object.hasOwn(aliases, key) ? aliases[key]! : key

  if (Object.hasOwn(conditions, name)) {
    if (value === '') throw new SearchProblem(`${key}: needs a value`)

    return conditions[name]
  }
  const similar = similarName(key, Object.keys(conditions))

  if (similar) throw new SearchProblem(`Unknown condition ${key}. Did you mean ${similar}:${quote(value)}?`)

  return undefined
}

function textOf({ key, value, isQuoted }: Term) {
  if (key) return `${key}:${value}`

  return isQuoted ? `"${value}"` : value
}

function readIs(value: string): Partial<ListQuery> {
  const status = value === 'firing' ? 'triggered' : statusTabs.find(tab => tab === value)

  if (status) return { status }
  if (value === 'assigned') return { assignee: 'any' }
  if (value === 'unassigned') return { assignee: 'none' }

  throw new SearchProblem(`is:${value} is not supported. Use is: with ${isValues.join(', ')}`)
}

function readSeverity(value: string) {
  const severity = value.toLowerCase()

  if (isSeverity(severity)) return { severity }

  throw new SearchProblem(
    `severity:${value} is not supported. Use severity: with ${severities.join(', ')}, and add + to include worse ones`
  )
}

async function findAssignee(name: string, { scope, viewer }: Context) {
  if (['me', 'none', 'any'].includes(name)) return name
  const id = await findUserId(scope.em, viewer, name.replace(/^@/, ''))

  if (id === undefined) throw new SearchProblem(`assigned:${name}: there is no user with this name. Use me, none, any or a username`)

  return String(id)
}

async function findIntegration(name: string, { scope }: Context) {
  const found = await scope.em.find(Integration, { projectId: { $in: scope.projectIds }, name }, { limit: 2 })

  if (found.length !== 1)
    throw new SearchProblem(
      `integration:${quote(name)}: ${found.length === 0 ? 'there is no integration' : 'several integrations exist'} with this name`
    )

  return String(found[0]!.id)
}

function findProject(name: string, { projects }: ListScope) {
  const [id] = [...(projects ?? [])].find(([, one]) => one.toLowerCase() === name.toLowerCase()) ?? []

  if (id === undefined)
    throw new SearchProblem(`project:${quote(name)}: ${projects ? 'none of your projects has this name' : 'this list is of one project'}`)

  return String(id)
}

/** `<1d` is within the last day, `>1d` before it. */
function readStarted(value: string, { now }: Context): Partial<ListQuery> {
  const [, sign, period = ''] = /^([<>+-])=?(\S+)$/.exec(value) ?? []

  if (!isStarted(period)) throw new SearchProblem(`started:${value} is not a time. Use started:<1d or started:>2w, with m, h, d or w`)
  if (sign === '<' || sign === '-') return { started: period }

  return { to: `${new Date(now.getTime() - toMs(period)).toISOString().slice(0, 16)}Z` }
}
