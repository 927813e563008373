import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { imageHeaders, typeOfName } from '#lib/image-type.ts'
import { NotFound } from '#lib/refusals.ts'
import { avatarFiles } from '#platform/avatars.ts'
import { accessRequestRoutes } from './access-requests/access-request-routes.ts'
import { deleteUserRoute } from './deletion/delete-user.ts'
import { deletionRoutes } from './deletion/deletion-routes.ts'
import { findGroup, findProject } from './find-project.ts'
import { groupListRoutes } from './groups/group-list-routes.ts'
import { groupRoutes } from './groups/group-routes.ts'
import { namespaceRoutes } from './groups/namespace-routes.ts'
import { transferLocationRoutes } from './groups/transfer-location-routes.ts'
import { activityRoutes } from './history/activity-routes.ts'
import { auditRoutes } from './history/audit-routes.ts'
import { invitationRoutes } from './invitations/invitation-routes.ts'
import { lifecycleRoutes } from './lifecycle-routes.ts'
import { projectListRoutes } from './list-routes.ts'
import { memberRoutes } from './members/member-routes.ts'
import type { SourceKind } from './members/member-source.ts'
import { membershipRoutes } from './members/membership-routes.ts'
import { newMemberRoutes } from './members/new-member-routes.ts'
import { projectUserRoutes } from './members/project-user-routes.ts'
import { shareRoutes } from './members/share-routes.ts'
import { userStateRoutes } from './members/user-state-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { ById } from './schemas.ts'
import { signUpRoutes } from './sign-ups/sign-up-routes.ts'
import { starRoutes } from './star-routes.ts'
import { deployTokenRoutes } from './tokens/deploy-token-routes.ts'
import { groupTokenRoutes, projectTokenRoutes } from './tokens/resource-token-routes.ts'

/** The image itself, for clients that have a token and not the address in `avatar_url`. */
const avatarRoute: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { config } = app.platform
  const [name, find] = kind === 'projects' ? (['project', findProject] as const) : (['group', findGroup] as const)

  app.get(
    `/${kind}/:id/avatar`,
    {
      config: { role: 'anyone' },
      schema: { summary: `Download the avatar of a ${name}`, params: ById }
    },
    async ({ em, viewer, params }, reply) => {
      const { avatar } = await find(em, viewer, params.id)
      const data = avatar && (await avatarFiles(config, name).read(avatar))

      if (!data) throw new NotFound('Avatar')

      return reply.headers(imageHeaders(typeOfName(avatar)!)).send(data)
    }
  )
}

/** Projects and groups, with their members, access tokens and history. */
export const projects: FastifyPluginAsyncTypebox = async app => {
  await app.register(projectRoutes)
  await app.register(projectListRoutes)
  await app.register(lifecycleRoutes)
  await app.register(deletionRoutes)
  await app.register(groupRoutes)
  await app.register(groupListRoutes)
  await app.register(transferLocationRoutes)
  await app.register(namespaceRoutes)
  await app.register(projectUserRoutes)
  await app.register(shareRoutes)
  await app.register(projectTokenRoutes)
  await app.register(groupTokenRoutes)
  await app.register(deployTokenRoutes)
  await app.register(deleteUserRoute)
  await app.register(userStateRoutes)
  await app.register(signUpRoutes)
  await app.register(membershipRoutes)
  await app.register(auditRoutes)
  await app.register(activityRoutes)
  await app.register(starRoutes)
  for (const kind of ['projects', 'groups'] as const) {
    await app.register(memberRoutes, { kind })
    await app.register(newMemberRoutes, { kind })
    await app.register(accessRequestRoutes, { kind })
    await app.register(invitationRoutes, { kind })
    await app.register(avatarRoute, { kind })
  }
}
