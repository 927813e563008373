import type { FastifyRequest } from 'fastify'
import { encodePath } from '#lib/encode-path.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import { Role } from '#projects/members/member.ts'
import { canReadCode } from '#projects/visibility/can-read-code.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { resolveCommit } from '#repositories/objects/resolve.ts'
import { openRepository } from '#repositories/open-repository.ts'
import { isMarkdown } from './file-text.ts'

export interface CodeContext extends PageContext {
  /** Undefined while nothing was pushed. */
  repo: GitDirectory | undefined
  codeUrl: string
}

/** A directory or file at a branch, tag or commit. */
export interface CodeLocation extends CodeContext {
  repo: GitDirectory
  ref: string
  sha: string
  path: string
}

const maxSegments = 20

/** The code of a project, for those who may read it. */
export async function codeContext(request: FastifyRequest): Promise<CodeContext> {
  const context = await pageContext(request, Role.guest)
  const { git } = request.server.platform

  if (!canReadCode(context.project, context.role)) throw new Forbidden()
  const directory = await openRepository(git, await findRepository(context.em, { projectId: context.project.id }))

  return { ...context, repo: directory === undefined ? undefined : new GitDirectory(git, directory), codeUrl: `${context.projectUrl}/code` }
}

/** The place that the rest of the path of a page names: `feature/login/src/app.ts` is `src/app.ts` at the branch `feature/login`. */
export async function codeLocation(request: FastifyRequest, text: string): Promise<CodeLocation> {
  const { repo, ...context } = await codeContext(request)
  const segments = text.replace(/\/$/, '').split('/')

  for (let n = 1; repo && n <= Math.min(segments.length, maxSegments); n++) {
    const ref = segments.slice(0, n).join('/')
    const sha = await resolveCommit(repo, ref)

    if (sha) return { ...context, repo, ref, sha, path: segments.slice(n).join('/') }
  }
  throw new NotFound('Branch, tag or commit')
}

export function locationUrl({ codeUrl, ref }: Pick<CodeLocation, 'codeUrl' | 'ref'>, kind: 'tree' | 'blob' | 'commits', path = '') {
  return `${codeUrl}/${kind}/${encodePath(ref)}${path && `/${encodePath(path)}`}`
}

/** Lines of Markdown are numbered only in its source. */
export function fileUrl(projectUrl: string, { commit, path, line }: { commit: string; path: string; line?: number }) {
  const url = locationUrl({ codeUrl: `${projectUrl}/code`, ref: commit }, 'blob', path)

  return line === undefined ? url : `${url}${isMarkdown(path) ? '?plain=1' : ''}#L${line}`
}

export function commitUrl(projectUrl: string, commit: string) {
  return `${projectUrl}/code/commit/${commit}`
}
