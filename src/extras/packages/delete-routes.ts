import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Forbidden } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { findReadable } from '#projects/visibility/find-readable.ts'
import { deleteFile, deletePackage } from './change-packages.ts'
import { findFile, findPackage } from './find-package.ts'
import { ByPackage } from './package-routes.ts'

const ByFile = Type.Object({ ...ByPackage.properties, package_file_id: Type.Integer() })
const response = { 204: Type.Null() }

export const deletePackageRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const path = '/projects/:id/packages/:package_id'
  const guard = { config: { role: 'maintainer' as const, allowsJobToken: true as const } }

  app.delete(path, { ...guard, schema: { summary: 'Delete a package', params: ByPackage, response } }, async (request, reply) => {
    const { project, found } = await findDeletable(request)

    await deletePackage(request.em, project, found, request.actor)

    return reply.code(204).send(null)
  })

  app.delete(
    `${path}/package_files/:package_file_id`,
    { ...guard, schema: { summary: 'Delete a file of a package', params: ByFile, response } },
    async (request, reply) => {
      const { found } = await findDeletable(request)

      await deleteFile(request.em, config, await findFile(request.em, found, { id: request.params.package_file_id }))

      return reply.code(204).send(null)
    }
  )
}

async function findDeletable(request: FastifyRequest) {
  const { id, package_id: packageId } = request.params as { id: string; package_id: number }
  const { project, role } = await findReadable(request.em, request, id)

  if (role < Role.maintainer) throw new Forbidden()

  return { project, found: await findPackage(request.em, project, { id: packageId }) }
}
