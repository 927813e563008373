import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import type { Viewer } from '#identity/viewer.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { readCommit, readStats } from '#repositories/objects/read-commits.ts'
import { findCode } from '../find-code.ts'
import { checkBranchPush } from '../refs/check-branch-push.ts'
import { writeCode } from '../write-code.ts'
import { commitActions } from './commit-actions.ts'
import { ExpandedCommit, presentExpandedCommit } from './present-commit.ts'
import type { FileAction } from './stage-actions.ts'

export const maxCommitBytes = 20_971_520
export const Encoding = Type.Optional(Type.Enum(['text', 'base64']))
export const authorFields = { author_name: Type.Optional(Type.String()), author_email: Type.Optional(Type.String()) }

const Action = Type.Object({
  action: Type.Enum(['create', 'update', 'delete', 'move', 'chmod']),
  file_path: Type.String(),
  previous_path: Type.Optional(Type.String()),
  content: Type.Optional(Type.String()),
  encoding: Encoding,
  last_commit_id: Type.Optional(Type.String()),
  execute_filemode: Type.Optional(Type.Boolean())
})

const NewCommitBody = Type.Object({
  branch: Type.String({ minLength: 1 }),
  commit_message: Type.String({ minLength: 1 }),
  actions: Type.Array(Action, { minItems: 1, maxItems: 1000 }),
  start_branch: Type.Optional(Type.String()),
  start_sha: Type.Optional(Type.String()),
  force: Type.Optional(Type.Boolean({ description: 'Replaces the branch with a commit on the start.' })),
  stats: Type.Optional(Type.Boolean({ default: true })),
  ...authorFields
})

export const newCommitRoute: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform

  app.post(
    '/projects/:id/repository/commits',
    {
      config: { role: 'developer' },
      bodyLimit: maxCommitBytes,
      schema: { summary: 'Commit changes of several files', params: ById, body: NewCommitBody, response: { 201: ExpandedCommit } }
    },
    async (request, reply) => {
      const { body } = request
      const code = await findCode(request.em, git, request.user, request.params.id, Role.developer)

      if (body.start_branch && body.start_sha) throw new InvalidInput('start_branch, start_sha are mutually exclusive')
      checkBranchPush(code, body.branch, { isForced: body.force })
      const { repo, changes } = await writeCode(app.platform, code, request.actor, async repo => [
        await commitActions(repo, {
          branch: body.branch,
          message: body.commit_message,
          actions: body.actions.map(toFileAction),
          startBranch: body.start_branch,
          startSha: body.start_sha,
          isForced: body.force,
          ...signaturesOf(request.user, body)
        })
      ])
      const sha = changes[0]!.after
      const stats = body.stats ? await readStats(repo, [sha]) : undefined
      const view = { projectUrl: `${config.baseUrl}/${code.project.fullPath}`, stats }

      return reply.code(201).send(presentExpandedCommit(await readCommit(repo, sha), view, code.project.id))
    }
  )
}

export function signaturesOf({ name, email }: Viewer, given: { author_name?: string; author_email?: string } = {}) {
  return { author: { name: given.author_name || name, email: given.author_email || email }, committer: { name, email } }
}

export function toContent(content: string, encoding: Static<typeof Encoding> | undefined) {
  return Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')
}

function toFileAction(given: Static<typeof Action>, n: number): FileAction {
  const { action, content, previous_path: previousPath, execute_filemode: isExecutable } = given

  if (action === 'move' && !previousPath) throw new InvalidInput(`actions[${n}][previous_path] is missing`)
  if (action === 'chmod' && isExecutable === undefined) throw new InvalidInput(`actions[${n}][execute_filemode] is missing`)
  if ((action === 'create' || action === 'update') && content === undefined) throw new InvalidInput(`actions[${n}][content] is missing`)

  return {
    action,
    path: given.file_path,
    previousPath: action === 'move' ? previousPath : undefined,
    content: content === undefined ? undefined : toContent(content, given.encoding),
    lastCommitId: given.last_commit_id,
    isExecutable
  }
}
