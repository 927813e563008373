import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { readUnmodifiedSince } from '#api/conditional-requests.ts'
import { Role } from '#projects/members/member.ts'
import { commitActions } from '../commits/commit-actions.ts'
import { authorFields, Encoding, maxCommitBytes, signaturesOf, toContent } from '../commits/new-commit-route.ts'
import type { FileAction } from '../commits/stage-actions.ts'
import { findCode } from '../find-code.ts'
import { checkBranchPush } from '../refs/check-branch-push.ts'
import { writeCode } from '../write-code.ts'
import { ByPath } from './file-routes.ts'

const commitFields = {
  branch: Type.String({ minLength: 1 }),
  commit_message: Type.String({ minLength: 1 }),
  start_branch: Type.Optional(Type.String({ description: 'Where the branch begins, if it is new.' })),
  ...authorFields
}
const contentFields = { content: Type.String(), encoding: Encoding, execute_filemode: Type.Optional(Type.Boolean()) }
const LastCommit = { last_commit_id: Type.Optional(Type.String({ description: 'Fails if the file was changed after this commit.' })) }

const CreateBody = Type.Object({ ...commitFields, ...contentFields })
const UpdateBody = Type.Object({ ...commitFields, ...contentFields, ...LastCommit })
const DeleteBody = Type.Object({ ...commitFields, ...LastCommit })
const ChangedFile = Type.Object({ file_path: Type.String(), branch: Type.String() })

type Body = Static<typeof DeleteBody> & Partial<Static<typeof UpdateBody>>

/** Changes one file, each time with a commit. */
export const changeFileRoutes: FastifyPluginAsyncTypebox = async app => {
  const { git } = app.platform
  const path = '/projects/:id/repository/files/:file_path'
  const forDevelopers = { config: { role: 'developer' as const }, bodyLimit: maxCommitBytes }

  app.post(
    path,
    { ...forDevelopers, schema: { summary: 'Create a file', params: ByPath, body: CreateBody, response: { 201: ChangedFile } } },
    async (request, reply) => reply.code(201).send(await change(request, 'create'))
  )

  app.put(
    path,
    { ...forDevelopers, schema: { summary: 'Update a file', params: ByPath, body: UpdateBody, response: { 200: ChangedFile } } },
    request => change(request, 'update')
  )

  app.delete(
    path,
    { ...forDevelopers, schema: { summary: 'Delete a file', params: ByPath, body: DeleteBody, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await change(request, 'delete')

      return reply.code(204).send(null)
    }
  )

  async function change(request: FastifyRequest, action: FileAction['action']) {
    const { id, file_path: path } = request.params as Static<typeof ByPath>
    const body = request.body as Body
    const code = await findCode(request.em, git, request.user, id, Role.developer)
    const content = body.content === undefined ? undefined : toContent(body.content, body.encoding)

    checkBranchPush(code, body.branch)
    await writeCode(app.platform, code, request.actor, async repo => [
      await commitActions(repo, {
        branch: body.branch,
        message: body.commit_message,
        startBranch: body.start_branch,
        unmodifiedSince: readUnmodifiedSince(request),
        actions: [{ action, path, content, lastCommitId: body.last_commit_id, isExecutable: body.execute_filemode }],
        ...signaturesOf(request.user, body)
      })
    ])

    return { file_path: path, branch: body.branch }
  }
}
