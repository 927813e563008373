import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { toTime } from '#lib/time.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { listDeploys } from '../releases/deploy-store.ts'
import { recordDeploy } from '../releases/record-deploy.ts'
import { decodeSlug } from './organization.ts'
import { findProjects, ProjectNames } from './organization-projects.ts'
import { presentDeploy, SentryDeploy } from './present-release.ts'
import { findReleaseProjects } from './release-projects.ts'
import { Version } from './release-routes.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

const path = '/organizations/:org/releases/:version/deploys'
const Params = Type.Object({ org: Type.String(), version: Version })
const NewDeploy = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.Optional(Type.String({ maxLength: 64 })),
  url: Type.Optional(Type.String({ maxLength: 2000 })),
  dateStarted: Type.Optional(Time()),
  dateFinished: Type.Optional(Time()),
  projects: Type.Optional(ProjectNames)
})

export const deployRoutes: FastifyPluginAsyncTypebox = async app => {
  const { extras } = app.platform
  const guard = { config: { role: 'developer' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List the deploys of a release, latest first',
        params: Params,
        querystring: Type.Object(sentryPaging),
        response: { 200: Type.Array(SentryDeploy) }
      }
    },
    async (request, reply) => {
      const version = decodeSlug(request.params.version)
      const projects = await findReleaseProjects(request.em, request.user, request.params, version)
      const ids = projects.map(({ id }) => id)
      const page = await sentryPage(request, reply, listDeploys(request.em, ids, version))

      return page.map(presentDeploy)
    }
  )

  app.post(
    path,
    { ...guard, schema: { summary: 'Record a deploy of a release', params: Params, body: NewDeploy, response: { 201: SentryDeploy } } },
    async ({ em, user, params, body }, reply) => {
      const version = decodeSlug(params.version)
      const { environment, name, url, dateStarted, dateFinished, projects: named } = body
      const projects = await findReleaseProjects(em, user, params, version)
      const chosen = named ? await findProjects(em, user, params.org, named) : projects
      const strange = chosen.find(({ id }) => !projects.some(project => project.id === id))

      if (strange) throw new InvalidInput(`projects: ${strange.slug} does not have this release`)
      for (const project of chosen) checkWritable(project)
      const times = { startedAt: toTime(dateStarted), finishedAt: toTime(dateFinished) ?? new Date() }
      const deploy = await recordDeploy(
        em,
        extras,
        chosen.map(({ id }) => id),
        version,
        { environment, name, url, ...times }
      )

      return reply.code(201).send(presentDeploy(deploy))
    }
  )
}
