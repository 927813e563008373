import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { SearchProblem } from '#lib/search/split-search.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { listGroups } from '../groups/list-groups.ts'
import { shortIdOf, titleOf } from '../groups/present-group.ts'
import { issueQuery, readIssueQuery } from './issue-query.ts'
import { findOrganization } from './organization.ts'
import { findAllProjects, type OrganizationProject } from './organization-projects.ts'
import { presentIssues, SentryIssue } from './present-issue.ts'

const Params = Type.Object({ org: Type.String() })
const IssuesQuery = Type.Object({
  ...issueQuery,
  per_page: Type.Optional(Type.Integer({ minimum: 1 })),
  project: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 100 })], { description: 'Ids or slugs; all when missing or -1.' })
  )
})
const EventRows = Type.Object({
  data: Type.Array(Type.Object({}, { additionalProperties: true })),
  meta: Type.Object({ fields: Type.Object({}, { additionalProperties: Type.String() }) })
})

const Valid = { valid: Type.Boolean(), error: Nullable(Type.String()) }
const ValidFields = Type.Array(Type.Object({ ...Valid, name: Type.String(), attrType: Type.Null() }))
const Nothing = Type.Array(Type.Object({}))
const Validated = Type.Object({
  valid: Type.Boolean(),
  projects: Nothing,
  dataset: Nothing,
  environment: Nothing,
  field: ValidFields,
  query: Type.Object({ ...Valid, fields: Nothing }),
  orderby: Nothing
})

const maxRows = 100
/** Further projects are not searched, unless they are named. */
const maxProjects = 100

/** Issues of all projects of an organization. */
export const organizationIssueRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'developer' as const } }

  app.get(
    '/organizations/:org/issues',
    {
      ...guard,
      schema: {
        summary: `List issues of several projects, at most ${maxRows} and without further pages`,
        params: Params,
        querystring: IssuesQuery,
        response: { 200: Type.Array(SentryIssue) }
      }
    },
    async request => {
      const found = await searchIssues(request)
      const ofProjects = Map.groupBy(found, ({ project }) => project)
      const presented = await Promise.all(
        [...ofProjects].map(([project, rows]) =>
          presentIssues(
            request.em,
            rows.map(({ group }) => group),
            { ...project, path: project.slug },
            config.baseUrl
          )
        )
      )
      const byId = new Map(presented.flat().map(issue => [issue.id, issue]))

      return found.map(({ group }) => byId.get(String(group.id))!)
    }
  )

  app.get(
    '/organizations/:org/events',
    {
      ...guard,
      schema: {
        summary: 'List issues as rows of fields, as Sentry’s Discover does: one row for each issue, not for each event',
        params: Params,
        querystring: Type.Object({ ...IssuesQuery.properties, dataset: Type.Optional(Type.String()) }),
        response: { 200: EventRows }
      }
    },
    async request => {
      const { dataset = 'errors' } = request.query as { dataset?: string }
      const found = dataset === 'errors' || dataset === 'discover' ? await searchIssues(request, '') : []

      return { data: found.map(toRow), meta: { fields: fieldTypes } }
    }
  )

  app.get(
    '/organizations/:org/events/validate',
    {
      ...guard,
      schema: {
        summary: 'Say whether a query and fields can be used',
        params: Params,
        querystring: Type.Object({
          ...IssuesQuery.properties,
          field: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]))
        }),
        response: { 200: Validated }
      }
    },
    validate
  )
}

interface Validation {
  valid: boolean
  error: string | null
}

/** The problem of the query in each project where it has one, and fields that there are not. */
async function validate(request: FastifyRequest) {
  const { field = [] } = request.query as { field?: string | string[] }
  const fields = [field].flat().map(name => ({
    name,
    valid: Object.hasOwn(fieldTypes, name),
    attrType: null,
    error: Object.hasOwn(fieldTypes, name) ? null : `There is no field ${name}`
  }))
  const query: Validation = await searchIssues(request, '').then(
    () => ({ valid: true, error: null }),
    (error: unknown) => {
      if (!(error instanceof SearchProblem)) throw error

      return { valid: false, error: error.message }
    }
  )

  return {
    valid: query.valid && fields.every(({ valid }) => valid),
    projects: [],
    dataset: [],
    environment: [],
    field: fields,
    query: { ...query, fields: [] },
    orderby: []
  }
}

interface Found {
  project: OrganizationProject
  group: ErrorGroup
}

type Query = { project?: string | string[]; sort?: string; limit?: number; per_page?: number }

/** The first issues of each project, and the first of these. */
async function searchIssues(request: FastifyRequest, defaultQuery?: string): Promise<Found[]> {
  const { em, user } = request
  const { project: given, per_page: perPage, limit = perPage ?? maxRows } = request.query as Query
  const { org } = request.params as { org: string }
  const wanted = [given ?? []].flat().filter(name => name !== '-1')
  const all = await findAllProjects(em, user, await findOrganization(em, user, org))
  const projects = wanted.length > 0 ? all.filter(({ id, slug }) => wanted.includes(String(id)) || wanted.includes(slug)) : all
  const now = new Date()
  const found: Found[] = []

  for (const project of projects.slice(0, maxProjects)) {
    const { filter, sort } = await readIssueQuery(request, project.id, now, defaultQuery)
    const groups = await listGroups(em, project.id, filter, sort).read({ limit: Math.min(limit, maxRows) })

    found.push(...groups.map(group => ({ project, group })))
  }

  return found.toSorted((a, b) => rankOf(b.group, request) - rankOf(a.group, request)).slice(0, Math.min(limit, maxRows))
}

function rankOf({ lastSeenAt, firstSeenAt, events, users }: ErrorGroup, request: FastifyRequest) {
  const { sort } = request.query as Query

  if (sort === 'freq') return events
  if (sort === 'user') return users

  return (sort === 'new' ? firstSeenAt : lastSeenAt).getTime()
}

const fieldTypes = {
  id: 'string',
  issue: 'string',
  'issue.id': 'integer',
  title: 'string',
  project: 'string',
  level: 'string',
  message: 'string',
  'error.type': 'string',
  'user.email': 'string',
  'user.id': 'string',
  culprit: 'string',
  timestamp: 'date',
  release: 'string',
  'count()': 'integer',
  'count_unique(user)': 'integer',
  'first_seen()': 'date',
  'last_seen()': 'date'
}

function toRow({ project, group }: Found) {
  const lastSeen = group.lastSeenAt.toISOString()

  return {
    id: String(group.id),
    issue: shortIdOf(project.slug, group.id),
    'issue.id': group.id,
    title: titleOf(group),
    project: project.slug,
    level: group.level,
    message: group.description,
    'error.type': group.isMessage ? '' : group.name,
    culprit: group.actor,
    timestamp: lastSeen,
    release: group.lastRelease ?? '',
    'count()': group.events,
    'count_unique(user)': group.users,
    'first_seen()': group.firstSeenAt.toISOString(),
    'last_seen()': lastSeen
  }
}
