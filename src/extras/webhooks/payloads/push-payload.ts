import type { RefChange } from '#git-http/jobs.ts'
import type { User } from '#identity/users/user.ts'
import type { WebhookEvent } from '#outbox/outbox-entry.ts'
import { avatarUrl } from '#platform/avatars.ts'
import type { Git } from '#platform/git/git.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import type { Project } from '#projects/project.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'
import type { Notice } from '../events.ts'
import { readPushedCommits } from './read-pushed-commits.ts'
import { type Context, findActor, findProjectOf, presentHookProject, presentPushedRepository } from './users-and-projects.ts'

interface Pushed {
  context: Context
  project: Project
  user: User | null
  repo: GitDirectory | undefined
}

const isMissing = (sha: string) => /^0+$/.test(sha)

/** A push: one request for each branch and tag, and one about the repository for system hooks. */
export async function pushNotices(context: Context & { git: Git }, { projectId, actorId, data }: WebhookEvent): Promise<Notice[]> {
  const project = await findProjectOf(context, projectId)
  if (!project) return []
  const directory = await openRepository(context.git, await findRepository(context.em, { projectId: project.id }))
  const user = await findActor(context, actorId)
  const pushed = { context, project, user, repo: directory === undefined ? undefined : new GitDirectory(context.git, directory) }
  const notices: Notice[] = [updateNotice(pushed, data.changes as RefChange[])]

  for (const change of data.shown as RefChange[]) notices.push(await refNotice(pushed, change))

  return notices
}

export async function refNotice(pushed: Pushed, change: RefChange): Promise<Notice> {
  const { context, project, user, repo } = pushed
  const { ref, before, after } = change
  const isTag = ref.startsWith('refs/tags/')
  const { commits, total } = repo && !isMissing(after) && !isTag ? await readPushedCommits(repo, project, change, context.baseUrl) : none
  const kind = isTag ? 'tag_push' : 'push'
  const payload = {
    object_kind: kind,
    event_name: kind,
    before,
    after,
    ref,
    ref_protected: false,
    checkout_sha: isMissing(after) ? null : ((await repo?.find(['rev-parse', '--verify', '--quiet', `${after}^{commit}`])) ?? after),
    message:
      isTag && !isMissing(after)
        ? (await repo?.find(['for-each-ref', '--format=%(if)%(taggername)%(then)%(contents)%(end)', ref])) || null
        : null,
    ...presentPusher(user, context.baseUrl),
    project_id: project.id,
    project: presentHookProject(project, context.baseUrl),
    commits,
    total_commits_count: total,
    push_options: {},
    repository: presentPushedRepository(project, context.baseUrl)
  }

  return isTag
    ? { flag: 'tag_push_events', audience: 'all', name: 'Tag Push Hook', payload }
    : { flag: 'push_events', audience: 'all', name: 'Push Hook', payload, branch: ref.replace('refs/heads/', '') }
}

const none = { commits: [], total: 0 }

function updateNotice({ context, project, user }: Pushed, changes: RefChange[]): Notice {
  const payload = {
    event_name: 'repository_update',
    ...presentPusher(user, context.baseUrl),
    project_id: project.id,
    project: presentHookProject(project, context.baseUrl),
    changes: changes.map(({ before, after, ref }) => ({ before, after, ref })),
    refs: changes.map(({ ref }) => ref)
  }

  return { flag: 'repository_update_events', audience: 'system', name: 'System Hook', payload }
}

function presentPusher(user: User | null, baseUrl: string) {
  return {
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    user_username: user?.username ?? null,
    user_email: user?.publicEmail ?? null,
    user_avatar: user ? avatarUrl('user', user, baseUrl) : null
  }
}
