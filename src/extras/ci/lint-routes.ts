import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { type Code, findCode } from '#extras/source-code/find-code.ts'
import { isRemoved } from '#lib/deprecations/stages.ts'
import { MutuallyExclusive } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { requireCommit, resolveCommit } from '#repositories/objects/resolve.ts'
import { lint } from './lint.ts'
import { LintShape, presentLint } from './present-lint.ts'

const DryRun = {
  dry_run: Type.Optional(Type.Boolean({ description: 'Also evaluates rules, as a pipeline would. Requires the Developer role.' })),
  include_jobs: Type.Optional(Type.Boolean({ description: 'Adds the jobs to the response.' })),
  ref: Type.Optional(Type.String({ description: 'The branch or tag of a dry run; without `sha`, also of the file.' })),
  dry_run_ref: Type.Optional(Type.String({ description: 'The branch or tag of a dry run. Defaults to the default branch.' }))
}
const LintQuery = Type.Object({
  ...DryRun,
  sha: Type.Optional(Type.String({ description: 'As `content_ref`.' })),
  content_ref: Type.Optional(Type.String({ description: 'The branch, tag or commit of the file. Defaults to the default branch.' }))
})
const LintBody = Type.Object({ ...DryRun, content: Type.String({ description: 'A `.gitlab-ci.yml`.' }) })

/** Checks `.gitlab-ci.yml`: that of the repository, or one that the client sends. */
export const lintRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork, git } = app.platform
  const path = '/projects/:id/ci/lint'

  app.get(
    path,
    {
      config: { role: 'guest', privateRole: 'reporter', additionalStatuses: [422] },
      schema: { summary: 'Check the CI configuration of a project', params: ById, querystring: LintQuery, response: { 200: LintShape } }
    },
    async request => {
      const { query } = request
      if (query.ref !== undefined && query.sha !== undefined && isRemoved(config, 'lint-ref-and-sha'))
        throw new MutuallyExclusive('ref', 'sha')
      const code = await findCode(request.em, git, request.user, request.params.id, query.dry_run ? Role.developer : Role.guest)
      const { sha } = await requireCommit(code.repo, query.content_ref ?? query.sha ?? query.ref ?? code.project.defaultBranch)

      return present(code, query, sha)
    }
  )

  app.post(
    path,
    {
      config: { role: 'developer', scopes: ['api', 'read_api'], additionalStatuses: [422] },
      bodyLimit: 2_097_152,
      schema: { summary: 'Check a CI configuration', params: ById, body: LintBody, response: { 200: LintShape } }
    },
    async request => {
      const { body } = request
      const code = await findCode(request.em, git, request.user, request.params.id, Role.developer)

      return present(code, body, await resolveCommit(code.repo, body.ref ?? code.project.defaultBranch), body.content)
    }
  )

  async function present(code: Code, query: Static<typeof LintQuery>, sha: string | undefined, content?: string) {
    const dryRunRef = query.dry_run ? (query.dry_run_ref ?? query.ref ?? code.project.defaultBranch) : undefined

    return presentLint(
      config,
      code.project,
      await lint(fork(), config, code, { content, sha, dryRunRef }),
      sha,
      query.include_jobs === true
    )
  }
}
