import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { findByConfirmedEmail } from '#identity/emails/claim-email.ts'
import { User } from '#identity/users/user.ts'
import { Nullable } from '#lib/nullable.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import { readTerm, splitWords } from '#lib/search/split-search.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { type EventFacts, findEvent, findEvents, listEventFacts, listEvents } from '../events/list-events.ts'
import { readPayload } from '../events/payload.ts'
import { changeGroup, type GroupChanges } from '../groups/change-group.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { tagDistribution } from '../groups/tag-distribution.ts'
import { parseEventId } from '../parse/envelope.ts'
import { findIssue } from './find-issue.ts'
import { readStatus } from './issue-routes.ts'
import { presentEvent, presentWholeEvent, SentryEvent, WholeEvent } from './present-event.ts'
import { presentIssues, SentryIssue } from './present-issue.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

const Params = Type.Object({ org: Type.String(), issue: Type.String({ description: 'Its id, or its short ID, such as `SHOP-12`.' }) })

const IssueChanges = Type.Object({
  status: Type.Optional(Type.String()),
  statusDetails: Type.Optional(
    Type.Object({
      inNextRelease: Type.Optional(Type.Boolean()),
      inRelease: Type.Optional(Type.String()),
      ignoreDuration: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_256_000, description: 'Minutes.' })),
      ignoreCount: Type.Optional(Type.Integer({ minimum: 1 })),
      ignoreUserCount: Type.Optional(Type.Integer({ minimum: 1 }))
    })
  ),
  assignedTo: Type.Optional(
    Nullable(Type.String({ description: '`user:ID`, `team:ID`, a username or an e-mail address; empty for nobody.' }))
  )
})

const TagValues = Type.Object({
  key: Type.String(),
  name: Type.String(),
  totalValues: Type.Integer(),
  uniqueValues: Type.Integer(),
  topValues: Type.Array(Type.Object({ key: Type.String(), name: Type.String(), value: Type.String(), count: Type.Integer() }))
})

/** One issue of an organization, with its events and tags. */
export const oneIssueRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'developer' as const } }
  const path = '/organizations/:org/issues/:issue'

  app.get(
    path,
    { ...guard, schema: { summary: 'Get an issue', params: Params, response: { 200: SentryIssue } } },
    async ({ em, user, params: { org, issue } }) => {
      const { project, group } = await findIssue(em, user, org, issue)

      return (await presentIssues(em, [group], project, config.baseUrl))[0]!
    }
  )

  app.put(
    path,
    {
      ...guard,
      schema: { summary: 'Resolve, ignore, reopen or assign an issue', params: Params, body: IssueChanges, response: { 200: SentryIssue } }
    },
    async ({ em, user, actor, params: { org, issue }, body }) => {
      const { project, group } = await findIssue(em, user, org, issue)

      checkWritable(project)
      await changeGroup(em, { project, group }, await readChanges(em, body), actor, new Date())

      return (await presentIssues(em, [group], project, config.baseUrl))[0]!
    }
  )

  app.get(
    `${path}/events`,
    {
      ...guard,
      schema: {
        summary: 'List the events of an issue, latest first; with a query, among the latest thousand',
        params: Params,
        querystring: Type.Object({ ...sentryPaging, query: Type.Optional(Type.String({ maxLength: 500 })) }),
        response: { 200: Type.Array(SentryEvent) }
      }
    },
    async (request, reply) => {
      const { em, user, params, query } = request
      const { group } = await findIssue(em, user, params.org, params.issue)
      const rows = query.query
        ? await searchEvents(em, group, query.query, query.per_page)
        : await sentryPage(request, reply, listEvents(em, group))

      return rows.map(row => presentEvent(row, group, readPayload(row.payload)))
    }
  )

  app.get(
    `${path}/events/:event`,
    {
      ...guard,
      schema: {
        summary: 'Get an event of an issue by its id, or `latest`, `oldest` or `recommended`, which is the latest',
        params: Type.Object({ ...Params.properties, event: Type.String() }),
        response: { 200: WholeEvent }
      }
    },
    async ({ em, user, params: { org, issue, event } }) => {
      const { group } = await findIssue(em, user, org, issue)
      const id = event === 'recommended' ? 'latest' : /^(latest|oldest)$/.test(event) ? event : parseEventId(event)
      const row = id && (await findEvent(em, group, id))

      if (!row) throw new NotFound('Event')

      return presentWholeEvent(row, group)
    }
  )

  app.get(
    `${path}/tags`,
    {
      ...guard,
      schema: { summary: 'List the tags of the latest events of an issue', params: Params, response: { 200: Type.Array(TagValues) } }
    },
    async ({ em, user, params: { org, issue } }) => {
      const { group } = await findIssue(em, user, org, issue)

      return (await tagDistribution(em, group)).map(presentTag)
    }
  )

  app.get(
    `${path}/tags/:tag`,
    {
      ...guard,
      schema: {
        summary: 'Get the values of a tag in the latest events of an issue',
        params: Type.Object({ ...Params.properties, tag: Type.String() }),
        response: { 200: TagValues }
      }
    },
    async ({ em, user, params: { org, issue, tag } }) => {
      const { group } = await findIssue(em, user, org, issue)
      const found = (await tagDistribution(em, group)).find(({ key }) => key === tag)

      if (!found) throw new NotFound('Tag')

      return presentTag(found)
    }
  )
}

function presentTag({ key, total, values }: Awaited<ReturnType<typeof tagDistribution>>[number]) {
  return {
    key,
    name: key,
    totalValues: total,
    uniqueValues: values.length,
    topValues: values.map(({ value, count }) => ({ key, name: value, value, count }))
  }
}

async function readChanges(
  em: EntityManager,
  { status, statusDetails = {}, assignedTo }: Static<typeof IssueChanges>
): Promise<GroupChanges> {
  const { inNextRelease, inRelease, ignoreDuration, ignoreCount, ignoreUserCount } = statusDetails
  const isInNext = status === 'resolvedInNextRelease' || inNextRelease

  return {
    ...(status !== undefined && { status: isInNext ? 'resolved' : readStatus(status) }),
    ...(isInNext ? { resolved_in: 'next' } : inRelease !== undefined && { resolved_in: inRelease }),
    ...(ignoreDuration !== undefined && { ignored_for: ignoreDuration }),
    ...(ignoreCount !== undefined && { ignored_for_events: ignoreCount }),
    ...(ignoreUserCount !== undefined && { ignored_for_users: ignoreUserCount }),
    ...(assignedTo !== undefined && (await readAssignee(em, assignedTo ?? '')))
  }
}

async function readAssignee(em: EntityManager, name: string): Promise<GroupChanges> {
  const [, type, id] = /^(user|team):(\d{1,15})$/.exec(name) ?? []

  if (name === '') return { assignee_id: null }
  if (id) return type === 'team' ? { assignee_group_id: Number(id) } : { assignee_id: Number(id) }
  const user = name.includes('@') ? await findByConfirmedEmail(em, name) : await em.findOne(User, { username: name.replace(/^user:/, '') })

  if (!user) throw new InvalidInput(`assignedTo: there is no user ${name}. Use user:ID, team:ID, a username or an e-mail address`)

  return { assignee_id: user.id }
}

const maxSearched = 1000

/** By level, environment, release and tags. */
async function searchEvents(em: EntityManager, group: ErrorGroup, query: string, limit = 100) {
  const terms = splitWords(query).map(word => {
    const { key, value, values } = readTerm(word)

    if (!key) throw new InvalidInput(`"${word}" cannot be searched in events. Use conditions such as level:error or browser:Firefox`)

    return { key: key.replace(/^!/, ''), isNegated: key.startsWith('!'), values: values ?? [value] }
  })
  const facts = await listEventFacts(em, group).read({ limit: maxSearched })
  const found = facts.filter(event =>
    terms.every(({ key, isNegated, values }) => values.some(value => has(event, key, value)) !== isNegated)
  )
  const ids = found.slice(0, Math.min(limit, 100)).map(({ event_id: id }) => id)
  const rows = await findEvents(em, group, ids)

  return rows.toSorted((a, b) => ids.indexOf(a.event_id) - ids.indexOf(b.event_id))
}

function has({ level, environment, release, tags }: EventFacts, key: string, value: string) {
  const columns: Record<string, string | null> = { level, environment, release }

  return (Object.hasOwn(columns, key) && columns[key] === value) || tags.includes(`${key}=${value}`)
}
