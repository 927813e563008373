import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { checkUnmodified, readUnmodifiedSince } from '../../../http/conditional-requests.ts'
import { callerOf } from '../../../identity/identify.ts'
import type { Viewer } from '../../../identity/viewer.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import { findRelease } from '../../releases/find-releases.ts'
import type { ErrorTables } from '../../tables.ts'
import { checkUploadAccess, decodeSlug, findUploadProjects, UploadProjects } from './organization.ts'

const version = Type.String({ minLength: 1, maxLength: 250 })
const Organization = Type.Object({ org: Type.String() })
const OrganizationRelease = Type.Object({ org: Type.String(), version })
const ProjectRelease = Type.Object({ org: Type.String(), project: Type.String(), version })

const Release = Type.Object({
  version: Type.String(),
  dateCreated: Type.String(),
  newGroups: Type.Integer(),
  projects: Type.Array(Type.Object({ slug: Type.String(), name: Type.String() }))
})

/** Creates releases before their first event. Older clients name the project in the path, newer ones in the body. */
export const releaseRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform
  const onRequest = app.requireUser

  app.post(
    '/organizations/:org/releases',
    {
      onRequest,
      schema: {
        summary: 'Create a release',
        params: Organization,
        body: Type.Object({ version, projects: UploadProjects }),
        response: { 201: Release }
      }
    },
    async (request, reply) => {
      const { version, projects: names } = request.body

      return reply.code(201).send(await createRelease(fork(), callerOf(request), { org: request.params.org, names, version }))
    }
  )

  app.put(
    '/organizations/:org/releases/:version',
    {
      onRequest,
      schema: {
        summary: 'Finish a release',
        params: OrganizationRelease,
        body: Type.Object({ projects: Type.Optional(UploadProjects) }),
        response: { 200: Release }
      }
    },
    async request => {
      const { org, version } = request.params
      const release = { org, names: request.body.projects ?? [], version: decodeSlug(version) }

      await checkUploadAccess(fork(), callerOf(request), org)

      return createRelease(fork(), callerOf(request), release, readUnmodifiedSince(request))
    }
  )

  app.post(
    '/projects/:org/:project/releases',
    {
      onRequest,
      schema: {
        summary: 'Create a release of one project',
        params: Type.Omit(ProjectRelease, ['version']),
        body: Type.Object({ version }),
        response: { 201: Release }
      }
    },
    async (request, reply) => {
      const { org, project } = request.params

      return reply.code(201).send(await createRelease(fork(), callerOf(request), { org, names: [project], version: request.body.version }))
    }
  )

  app.put(
    '/projects/:org/:project/releases/:version',
    { onRequest, schema: { summary: 'Finish a release of one project', params: ProjectRelease, response: { 200: Release } } },
    async request => {
      const { org, project, version } = request.params

      return createRelease(fork(), callerOf(request), { org, names: [project], version: decodeSlug(version) }, readUnmodifiedSince(request))
    }
  )

  app.get(
    '/organizations/:org/repos',
    {
      onRequest,
      schema: {
        summary: 'List repositories (always empty)',
        params: Organization,
        response: { 200: Type.Array(Type.Object({})) }
      }
    },
    async request => {
      await checkUploadAccess(fork(), callerOf(request), request.params.org)

      return []
    }
  )

  app.get(
    '/organizations/:org/releases/:version/previous-with-commits',
    {
      onRequest,
      schema: {
        summary: 'Get the previous release with commits (always empty)',
        params: OrganizationRelease,
        response: { 200: Type.Object({}) }
      }
    },
    async request => {
      await checkUploadAccess(fork(), callerOf(request), request.params.org)

      return {}
    }
  )
}

interface NewRelease {
  org: string
  /** Of the projects. */
  names: string[]
  version: string
}

/** Creates the release in each project unless it exists. */
async function createRelease(em: EntityManager, user: Viewer, { org, names, version }: NewRelease, unmodifiedSince?: Date) {
  const projects = await findUploadProjects(em, user, org, names)

  for (const { id } of unmodifiedSince ? projects : []) {
    const release = await findRelease(em, id, version)

    if (release) checkUnmodified(new Date(release.last_seen_at), unmodifiedSince)
  }
  const createdAt = new Date().toISOString()
  const rows = projects.map(({ id }) => ({ project_id: id, version, first_seen_at: createdAt, last_seen_at: createdAt }))

  if (rows.length > 0) {
    await em
      .getKysely<ErrorTables>()
      .insertInto('error_releases')
      .values(rows.toSorted((a, b) => a.project_id - b.project_id))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }

  return {
    version,
    dateCreated: createdAt,
    newGroups: 0,
    projects: projects.map(({ path, name }) => ({ slug: path, name }))
  }
}
