import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { keysetParameters, listPage } from '#api/pagination/keyset.ts'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { ById } from '#projects/schemas.ts'
import { findReadable } from '#projects/visibility/find-readable.ts'
import { readableProjectsOf } from '#projects/visibility/readable-projects.ts'
import { findPackage } from './find-package.ts'
import { listFiles, listPackages, packageOrders } from './list-packages.ts'
import { latestPipelines, listPipelines } from './list-pipelines.ts'
import { type Package, packageStatuses } from './package.ts'
import { PackageFileShape, PackagePipeline, PackageShape, presentFile, presentPackage, presentPackagePipeline } from './present-package.ts'

export const ByPackage = Type.Object({ ...ById.properties, package_id: Type.Integer() })

/** Clients may ask for any of GitLab's types. */
const packageTypes = [
  ...['generic', 'cargo', 'composer', 'conan', 'debian', 'golang', 'helm', 'maven', 'ml_model', 'npm', 'nuget'],
  ...['pypi', 'rpm', 'rubygems', 'terraform_module']
]
const PackagesQuery = Type.Object({
  ...paging,
  order_by: Type.Optional(Type.Enum(Object.keys(packageOrders) as (keyof typeof packageOrders)[])),
  sort: Type.Optional(Type.Enum(['asc', 'desc'])),
  package_type: Type.Optional(Type.Enum([...packageTypes], { description: 'Packages are `generic`.' })),
  package_name: Type.Optional(Type.String({ description: 'Part of the name.' })),
  package_version: Type.Optional(Type.String()),
  include_versionless: Type.Optional(Type.Boolean({ description: 'Has no effect: every package has a version.' })),
  status: Type.Optional(Type.Enum([...packageStatuses]))
})
const GroupPackagesQuery = Type.Object({ ...PackagesQuery.properties, exclude_subgroups: Type.Optional(Type.Boolean()) })

/** What projects have published. Those who read the code see it. */
export const packageRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const path = '/projects/:id/packages'
  const forReaders = {
    config: { role: 'anyone' as const, privateRole: 'reporter' as const, allowsJobToken: true as const }
  }

  app.get(
    path,
    {
      ...forReaders,
      schema: { summary: 'List packages', params: ById, querystring: PackagesQuery, response: { 200: Type.Array(PackageShape) } }
    },
    async (request, reply) => {
      const { project, role } = await findReadable(request.em, request, request.params.id)
      const packages = await offsetPage(request, reply, listPackages(request.em, { projectIds: [project.id], ...filterOf(request.query) }))

      return presentPackages(request.em, packages, { baseUrl: config.baseUrl, canDelete: role >= Role.maintainer })
    }
  )

  app.get(
    '/groups/:id/packages',
    {
      config: { role: 'guest' },
      schema: {
        summary: 'List the packages of the projects of a group',
        description: 'Only in projects whose code the caller can read.',
        params: ById,
        querystring: GroupPackagesQuery,
        response: { 200: Type.Array(PackageShape) }
      }
    },
    async (request, reply) => {
      const group = await findGroup(request.em, request.user, request.params.id)
      const projectIds = await readableProjectsOf(request.em, request.user, group.id, { withSubgroups: !request.query.exclude_subgroups })
      const packages = await offsetPage(request, reply, listPackages(request.em, { projectIds, ...filterOf(request.query) }))

      return presentPackages(request.em, packages, { baseUrl: config.baseUrl, withProject: true })
    }
  )

  app.get(
    `${path}/:package_id`,
    { ...forReaders, schema: { summary: 'Get a package', params: ByPackage, response: { 200: PackageShape } } },
    async request => {
      const { project, role } = await findReadable(request.em, request, request.params.id)
      const found = await findPackage(request.em, project, { id: request.params.package_id })
      const [shown] = await presentPackages(request.em, [found], { baseUrl: config.baseUrl, canDelete: role >= Role.maintainer })

      return shown!
    }
  )

  app.get(
    `${path}/:package_id/package_files`,
    {
      ...forReaders,
      schema: {
        summary: 'List the files of a package',
        params: ByPackage,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(PackageFileShape) }
      }
    },
    async (request, reply) => {
      const { project } = await findReadable(request.em, request, request.params.id)
      const found = await findPackage(request.em, project, { id: request.params.package_id })

      return (await offsetPage(request, reply, listFiles(request.em, found))).map(presentFile)
    }
  )

  app.get(
    `${path}/:package_id/pipelines`,
    {
      ...forReaders,
      schema: {
        summary: 'List the pipelines that published a package',
        params: ByPackage,
        querystring: Type.Object({ ...paging, ...keysetParameters }),
        response: { 200: Type.Array(PackagePipeline) }
      }
    },
    async (request, reply) => {
      const { project } = await findReadable(request.em, request, request.params.id)
      const found = await findPackage(request.em, project, { id: request.params.package_id })
      const pipelines = await listPage(request, reply, { orders: { id: ['desc'] }, open: () => listPipelines(request.em, found) })

      return pipelines.map(pipeline => presentPackagePipeline(pipeline, { baseUrl: config.baseUrl, project }))
    }
  )
}

function filterOf(query: Static<typeof PackagesQuery>) {
  const { package_type: type, package_name: name, package_version: version, status, order_by: orderBy, sort } = query

  return { type, name, version, status, orderBy, sort }
}

interface View {
  baseUrl: string
  canDelete?: boolean
  /** For lists of several projects. */
  withProject?: boolean
}

/** Each with its project and its latest pipeline. */
async function presentPackages(em: EntityManager, packages: Package[], { baseUrl, canDelete = false, withProject = false }: View) {
  const projects = await em.find(Project, { id: { $in: packages.map(({ projectId }) => projectId) } })
  const pipelines = await latestPipelines(
    em,
    packages.map(({ id }) => id)
  )

  return packages.map(found => {
    const project = projects.find(({ id }) => id === found.projectId)!

    return {
      ...presentPackage(found, { baseUrl, project, pipeline: pipelines.get(found.id), canDelete }),
      ...(withProject && { project_id: project.id, project_path: project.fullPath })
    }
  })
}
