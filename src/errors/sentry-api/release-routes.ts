import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { Time } from '#api/parameters/time.ts'
import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { linkAgain } from '../commits/link-store.ts'
import { findPreviousWithCommits, replaceCommits } from '../releases/commit-store.ts'
import { deleteRelease } from '../releases/delete-release.ts'
import { saveRelease } from '../releases/save-release.ts'
import { listReleases } from './list-releases.ts'
import { decodeSlug } from './organization.ts'
import { findProjects, type OrganizationProject, ProjectNames } from './organization-projects.ts'
import { presentReleases, SentryReleaseShape } from './present-release.ts'
import { commitFields, commitsOf, readCommits } from './release-commits.ts'
import { findReleaseProjects, idsOf, projectsOf, type ReleasePath } from './release-projects.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

/** A release in the path. */
export const Version = Type.String({ minLength: 1, maxLength: 250 })
const Releases = Type.Object({ org: Type.String(), project: Type.Optional(Type.String()) })
const OneRelease = Type.Object({ ...Releases.properties, version: Version })

const Changes = Type.Object({
  // Empty from `releases archive`.
  projects: Type.Optional(Type.Array(ProjectNames.items, { maxItems: 20 })),
  url: Type.Optional(Type.String({ maxLength: 2000 })),
  dateReleased: Type.Optional(Time()),
  status: Type.Optional(Type.Enum(['open', 'archived'])),
  ...commitFields
})

/** Older clients name the project in the path, newer ones in the body. */
const paths = ['/organizations/:org/releases', '/projects/:org/:project/releases']

export const releaseRoutes: FastifyPluginAsyncTypebox = async app => {
  const guard = { config: { role: 'developer' as const } }

  app.get(
    '/organizations/:org/releases/:version/previous-with-commits',
    {
      ...guard,
      schema: {
        summary: 'Get the last release before this one that has commits; without one, an empty object',
        params: OneRelease,
        response: { 200: Type.Partial(SentryReleaseShape) }
      }
    },
    async ({ em, user, params }) => {
      const projects = await projectsOf(em, user, params)
      const previous = await findPreviousWithCommits(em, idsOf(projects), decodeSlug(params.version))

      return previous === undefined ? {} : presentRelease(em, projects, previous)
    }
  )

  for (const path of paths) {
    app.get(
      path,
      {
        ...guard,
        schema: {
          summary: 'List releases, newest first',
          params: Releases,
          querystring: Type.Object({ ...sentryPaging, status: Changes.properties.status }),
          response: { 200: Type.Array(SentryReleaseShape) }
        }
      },
      async (request, reply) => {
        const projects = await projectsOf(request.em, request.user, request.params)
        const isArchived = request.query.status === 'archived'
        const page = await sentryPage(request, reply, listReleases(request.em, idsOf(projects), { isArchived }))

        return presentReleases(request.em, page, projects)
      }
    )

    app.post(
      path,
      {
        ...guard,
        schema: {
          summary: 'Create or change a release',
          params: Releases,
          body: Type.Object({ ...Changes.properties, version: Version }),
          response: { 201: SentryReleaseShape }
        }
      },
      async ({ em, user, params, body }, reply) => {
        const { version, ...changes } = body

        return reply.code(201).send(await save(em, user, { ...params, version }, changes))
      }
    )

    app.get(
      `${path}/:version`,
      { ...guard, schema: { summary: 'Get a release', params: OneRelease, response: { 200: SentryReleaseShape } } },
      async ({ em, user, params }) => {
        const projects = await projectsOf(em, user, params)

        return presentRelease(em, projects, decodeSlug(params.version))
      }
    )

    app.put(
      `${path}/:version`,
      {
        ...guard,
        schema: {
          summary: 'Finalize, archive or restore a release; creates it in the given projects',
          params: OneRelease,
          body: Changes,
          response: { 200: SentryReleaseShape }
        }
      },
      async ({ em, user, params, body }) => {
        const { org, project, version } = params

        return save(em, user, { org, project, version: decodeSlug(version) }, body)
      }
    )

    app.delete(
      `${path}/:version`,
      { ...guard, schema: { summary: 'Delete a release without errors, sessions and source maps', params: OneRelease } },
      async ({ em, user, actor, params }, reply) => {
        const version = decodeSlug(params.version)
        const projects = await findReleaseProjects(em, user, params, version)

        for (const project of projects) checkWritable(project)
        await deleteRelease(em, projects, version, actor)

        return reply.code(204).send()
      }
    )
  }
}

async function save(
  em: EntityManager,
  user: Viewer,
  { version, ...path }: ReleasePath & { version: string },
  { projects: names = [], url, dateReleased, status, ...sent }: Static<typeof Changes>
) {
  const named = path.project ? [path.project] : names
  const projects = named.length > 0 ? await findProjects(em, user, path.org, named) : await findReleaseProjects(em, user, path, version)
  const changes = { url, releasedAt: toTime(dateReleased), isArchived: status && status === 'archived', commits: commitsOf(projects, sent) }
  const commits = readCommits(sent)

  for (const project of projects) checkWritable(project)
  await em.transactional(async em => {
    await saveRelease(em, idsOf(projects), version, changes)
    if (commits) await replaceCommits(em, idsOf(projects), version, commits)
    if (commits || changes.commits.size > 0) await linkAgain(em, idsOf(projects), version)
  })

  return presentRelease(em, projects, version)
}

async function presentRelease(em: EntityManager, projects: OrganizationProject[], version: string) {
  const [release] = await presentReleases(em, await listReleases(em, idsOf(projects), { version }).list(1), projects)

  if (!release) throw new NotFound('Release')

  return release
}
