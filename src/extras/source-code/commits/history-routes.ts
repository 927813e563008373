import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Nullable } from '#lib/nullable.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { ById } from '#projects/schemas.ts'
import { readCommit, readCommits } from '#repositories/objects/read-commits.ts'
import { requireCommit } from '#repositories/objects/resolve.ts'
import { findCode } from '../find-code.ts'
import { CommitShape, presentCommit } from './present-commit.ts'
import { DiffShape, emptyTree, readDiff } from './read-diff.ts'

const Comparison = Type.Object({
  commit: Nullable(CommitShape),
  commits: Type.Array(CommitShape),
  diffs: Type.Array(DiffShape),
  compare_timeout: Type.Boolean(),
  compare_same_ref: Type.Boolean(),
  web_url: Type.String()
})
const Revision = Type.String({ minLength: 1, description: 'A branch, a tag or a sha.' })

export const historyRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform
  const path = '/projects/:id/repository'
  const forReaders = { config: { role: 'anyone' as const, privateRole: 'reporter' as const } }
  const urlOf = ({ fullPath }: { fullPath: string }) => `${config.baseUrl}/${fullPath}`

  app.get(
    `${path}/compare`,
    {
      ...forReaders,
      schema: {
        summary: 'Compare two branches, tags or commits',
        params: ById,
        querystring: Type.Object({
          from: Revision,
          to: Revision,
          straight: Type.Optional(Type.Boolean({ description: 'Compares with `from` itself, not with where `to` left it.' }))
        }),
        response: { 200: Comparison }
      }
    },
    async ({ em, viewer, params, query }) => {
      const { from, to, straight: isStraight = false } = query
      const { project, repo: own } = await findCode(em, git, viewer, params.id)
      const { repo, sha: start } = await requireCommit(own, from, 'Ref')
      const { sha: end } = await requireCommit(own, to, 'Ref')
      const { commits, diffs } = await compare(repo, start, end, isStraight)
      const presented = commits.map(commit => presentCommit(commit, { projectUrl: urlOf(project) }))

      return {
        commit: presented.at(-1) ?? null,
        commits: presented,
        diffs,
        compare_timeout: false,
        compare_same_ref: start === end,
        web_url: `${urlOf(project)}/-/compare/${start}${isStraight ? '..' : '...'}${end}`
      }
    }
  )

  app.get(
    `${path}/merge_base`,
    {
      ...forReaders,
      schema: {
        summary: 'Get the common ancestor of commits',
        params: ById,
        querystring: Type.Object({ refs: CommaSeparated(Revision, { maxItems: 20 }) }),
        response: { 200: CommitShape }
      }
    },
    async ({ em, viewer, params, query }) => {
      const { refs } = query

      if (refs.length < 2) throw new InvalidInput('Provide at least 2 refs')
      const { project, repo } = await findCode(em, git, viewer, params.id)
      const found = await Promise.all(refs.map(ref => requireCommit(repo, ref, 'Ref')))
      const sha = await repo!.find(['merge-base', ...found.map(({ sha }) => sha)])

      if (!sha) throw new NotFound('Merge Base')

      return presentCommit(await readCommit(repo!, sha), { projectUrl: urlOf(project) })
    }
  )
}

const maxCommits = 1000

/** The commits of one that the other does not have, oldest first, and what they change: since they parted, unless `isStraight`. */
async function compare(repo: GitDirectory, from: string, to: string, isStraight: boolean) {
  const base = isStraight ? from : ((await repo.find(['merge-base', from, to])) ?? emptyTree)
  const commits = await readCommits(repo, [`--max-count=${maxCommits}`, `${from}..${to}`])

  return { commits: commits.reverse(), diffs: await readDiff(repo, base, to) }
}
