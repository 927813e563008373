import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { Time } from '#api/parameters/time.ts'
import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { rowsInMemory } from '#platform/database/list.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import type { Project } from '#projects/project.ts'
import { ById } from '#projects/schemas.ts'
import { readCommit, readStats } from '#repositories/objects/read-commits.ts'
import { readRef, requireCommit } from '#repositories/objects/resolve.ts'
import { findCode } from '../find-code.ts'
import { listCommits } from './list-commits.ts'
import { CommitShape, ExpandedCommit, type LastPipeline, presentCommit, presentExpandedCommit } from './present-commit.ts'
import { DiffShape, emptyTree, readDiff } from './read-diff.ts'

const BySha = Type.Object({ ...ById.properties, sha: Type.String({ description: 'A sha, or the name of a branch or tag.' }) })

const CommitsQuery = Type.Object({
  ...paging,
  ref_name: Type.Optional(Type.String({ description: 'A branch, a tag or a range such as `v1..main`. Defaults to the default branch.' })),
  since: Type.Optional(Time()),
  until: Type.Optional(Time()),
  path: Type.Optional(Type.String()),
  author: Type.Optional(Type.String({ description: 'Part of the name or e-mail address.' })),
  all: Type.Optional(Type.Boolean({ description: 'Of all branches and tags.' })),
  with_stats: Type.Optional(Type.Boolean()),
  first_parent: Type.Optional(Type.Boolean()),
  order: Type.Optional(Type.Enum(['default', 'topo']))
})

declare module '#platform/extra.ts' {
  interface Extra {
    /** The newest pipeline of a commit. */
    findLastPipeline?: (em: EntityManager, baseUrl: string, project: Project, sha: string) => Promise<LastPipeline | undefined>
  }
}

export const commitRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, extras, fork, git } = app.platform
  const [findLastPipeline] = extras.flatMap(extra => extra.findLastPipeline ?? [])
  const path = '/projects/:id/repository/commits'
  const forReaders = { config: { role: 'anyone' as const, privateRole: 'reporter' as const } }

  app.get(
    path,
    {
      ...forReaders,
      schema: { summary: 'List commits, newest first', params: ById, querystring: CommitsQuery, response: { 200: Type.Array(CommitShape) } }
    },
    async (request, reply) => {
      const { ref_name: ref, all, since, until, first_parent: isFirstParent, with_stats: hasStats, ...filter } = request.query
      const { project, repo } = await findCode(request.em, git, request.viewer, request.params.id)
      const isEmpty = !repo || (!ref && !all && !(await readRef(repo, `refs/heads/${project.defaultBranch}`)))
      const rows = isEmpty
        ? rowsInMemory([])
        : await listCommits(repo, all ? undefined : ref || project.defaultBranch, {
            ...filter,
            since: toTime(since),
            until: toTime(until),
            isFirstParent
          })
      const commits = await offsetPage(request, reply, rows)
      const shas = commits.map(({ id }) => id)
      const stats = hasStats && repo ? await readStats(repo, shas) : undefined

      return commits.map(commit => presentCommit(commit, { projectUrl: `${config.baseUrl}/${project.fullPath}`, stats }))
    }
  )

  app.get(
    `${path}/:sha`,
    {
      ...forReaders,
      schema: {
        summary: 'Get a commit',
        params: BySha,
        querystring: Type.Object({ stats: Type.Optional(Type.Boolean({ default: true })) }),
        response: { 200: ExpandedCommit }
      }
    },
    async request => {
      const { project, repo: own } = await findCode(fork(), git, request.viewer, request.params.id)
      const { repo, sha } = await requireCommit(own, request.params.sha)
      const stats = request.query.stats ? await readStats(repo, [sha]) : undefined

      const lastPipeline = await findLastPipeline?.(fork(), config.baseUrl, project, sha)
      const view = { projectUrl: `${config.baseUrl}/${project.fullPath}`, stats }

      return presentExpandedCommit(await readCommit(repo, sha), view, project.id, lastPipeline)
    }
  )

  app.get(
    `${path}/:sha/diff`,
    {
      ...forReaders,
      schema: {
        summary: 'Get the changes of a commit',
        params: BySha,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(DiffShape) }
      }
    },
    async (request, reply) => {
      const { repo: own } = await findCode(request.em, git, request.viewer, request.params.id)
      const { repo, sha } = await requireCommit(own, request.params.sha)
      const { parentIds } = await readCommit(repo, sha)

      return offsetPage(request, reply, rowsInMemory(await readDiff(repo, parentIds[0] ?? emptyTree, sha)))
    }
  )

  app.get(
    `${path}/:sha/refs`,
    {
      ...forReaders,
      schema: {
        summary: 'List the branches and tags that contain a commit',
        params: BySha,
        querystring: Type.Object({ ...paging, type: Type.Optional(Type.Enum(['branch', 'tag', 'all'])) }),
        response: { 200: Type.Array(Type.Object({ type: Type.String(), name: Type.String() })) }
      }
    },
    async (request, reply) => {
      const { repo: own } = await findCode(request.em, git, request.viewer, request.params.id)
      const { repo, sha } = await requireCommit(own, request.params.sha)

      return offsetPage(request, reply, rowsInMemory(await listRefsOf(repo, sha, request.query.type)))
    }
  )
}

const prefixes = { branch: ['refs/heads/'], tag: ['refs/tags/'], all: ['refs/heads/', 'refs/tags/'] }

/** The branches and tags that contain a commit. */
async function listRefsOf(repo: GitDirectory, sha: string, type: keyof typeof prefixes = 'all') {
  const output = await repo.text(['for-each-ref', `--contains=${sha}`, '--format=%(refname)', ...prefixes[type]])

  return output
    .split('\n')
    .filter(Boolean)
    .map(ref => ({ type: ref.startsWith('refs/tags/') ? 'tag' : 'branch', name: ref.replace(/^refs\/\w+\//, '') }))
}
