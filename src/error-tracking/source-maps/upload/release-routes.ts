import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { callerOf } from '../../../identity/identify.ts'
import type { Viewer } from '../../../identity/viewer.ts'
import { type EntityManager, query } from '../../../platform/database/database.ts'
import { checkMayUpload, findUploadProject, readSlug } from './organization.ts'

const Version = Type.String({ minLength: 1, maxLength: 250 })
const Projects = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { minItems: 1, maxItems: 20 })
const InOrganization = Type.Object({ org: Type.String() })
const InProject = Type.Object({ org: Type.String(), project: Type.String() })
const Named = { version: Version }

const ReleaseShape = Type.Object({
  version: Type.String(),
  dateCreated: Type.String(),
  newGroups: Type.Integer(),
  projects: Type.Array(Type.Object({ slug: Type.String(), name: Type.String() }))
})

/** Releases, announced before their first event: the older clients name the project in the path, the newer ones in the body. */
export const releaseRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser }

  app.post(
    '/organizations/:org/releases',
    {
      ...guard,
      schema: {
        summary: 'Announce a release',
        params: InOrganization,
        body: Type.Object({ version: Version, projects: Projects }),
        response: { 201: ReleaseShape }
      }
    },
    async (request, reply) => {
      const { version, projects } = request.body

      return reply.code(201).send(await announceRelease(fork(), callerOf(request), request.params.org, projects, version))
    }
  )

  app.put(
    '/organizations/:org/releases/:version',
    {
      ...guard,
      schema: {
        summary: 'Finish a release',
        params: Type.Object({ ...InOrganization.properties, ...Named }),
        body: Type.Object({ projects: Type.Optional(Projects) }),
        response: { 200: ReleaseShape }
      }
    },
    async request => {
      const { org, version } = request.params

      await checkMayUpload(fork(), callerOf(request), org)

      return announceRelease(fork(), callerOf(request), org, request.body.projects ?? [], readSlug(version))
    }
  )

  app.post(
    '/projects/:org/:project/releases',
    {
      ...guard,
      schema: {
        summary: 'Announce a release of one project',
        params: InProject,
        body: Type.Object({ version: Version }),
        response: { 201: ReleaseShape }
      }
    },
    async (request, reply) => {
      const { org, project } = request.params

      return reply.code(201).send(await announceRelease(fork(), callerOf(request), org, [project], request.body.version))
    }
  )

  app.put(
    '/projects/:org/:project/releases/:version',
    {
      ...guard,
      schema: {
        summary: 'Finish a release of one project',
        params: Type.Object({ ...InProject.properties, ...Named }),
        response: { 200: ReleaseShape }
      }
    },
    async request => {
      const { org, project, version } = request.params

      return announceRelease(fork(), callerOf(request), org, [project], readSlug(version))
    }
  )

  app.get(
    '/organizations/:org/repos',
    {
      ...guard,
      schema: {
        summary: 'Repositories that commits can be read from: none',
        params: InOrganization,
        response: { 200: Type.Array(Type.Object({})) }
      }
    },
    async request => {
      await checkMayUpload(fork(), callerOf(request), request.params.org)

      return []
    }
  )

  app.get(
    '/organizations/:org/releases/:version/previous-with-commits',
    {
      ...guard,
      schema: {
        summary: 'The release before, if its commits are known: they never are',
        params: Type.Object({ ...InOrganization.properties, ...Named }),
        response: { 200: Type.Object({}) }
      }
    },
    async request => {
      await checkMayUpload(fork(), callerOf(request), request.params.org)

      return {}
    }
  )
}

/** From here on it is known that the release is there, and when it came. */
async function announceRelease(em: EntityManager, user: Viewer, org: string, given: string[], version: string) {
  const projects = []

  for (const name of given) projects.push(await findUploadProject(em, user, org, name))
  await query(
    em,
    `INSERT INTO error_releases (project_id, version, first_seen_at, last_seen_at)
     SELECT project_id, $2, now(), now() FROM unnest($1::bigint[]) AS project_id ORDER BY 1 ON CONFLICT DO NOTHING`,
    [projects.map(({ id }) => id), version]
  )

  return {
    version,
    dateCreated: new Date().toISOString(),
    newGroups: 0,
    projects: projects.map(({ path, name }) => ({ slug: path, name }))
  }
}
