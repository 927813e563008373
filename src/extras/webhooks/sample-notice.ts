import type { Logger } from 'pino'
import { Issue } from '#issues/issue.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import type { WebhookEvent } from '#outbox/outbox-entry.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import type { Owner } from '#projects/owner.ts'
import { Project } from '#projects/project.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'
import type { Notice, WebhookFlag } from './events.ts'
import { issueNotices } from './payloads/issue-payload.ts'
import { noteNotices } from './payloads/note-payload.ts'
import { pushNotices } from './payloads/push-payload.ts'

interface Context {
  em: EntityManager
  baseUrl: string
  git: Git
  log: Logger
}

const issueFlags: WebhookFlag[] = ['issues_events', 'confidential_issues_events']
const noteFlags: WebhookFlag[] = ['note_events', 'confidential_note_events']
const zeros = '0'.repeat(40)

/** What a webhook with this flag would be sent about the newest issue, comment, branch or tag; undefined when there is none. */
export async function sampleNotice(context: Context, owner: Owner, flag: WebhookFlag, actorId: number): Promise<Notice | undefined> {
  const project = await findSampleProject(context.em, owner)
  const event = (kind: WebhookEvent['kind'], data: Record<string, unknown>): WebhookEvent => ({
    id: 0,
    uuid: '',
    kind,
    projectId: project!.id,
    actorId,
    data,
    createdAt: new Date()
  })

  if (!project) return undefined
  if (issueFlags.includes(flag)) {
    const issueId = await newestIssue(context.em, project.id, flag.startsWith('confidential'))

    return (await issueNotices(context, event('issue', { issueId, action: 'open' })))[0]
  }
  if (noteFlags.includes(flag)) {
    const noteId = await newestNote(context.em, project.id, flag.startsWith('confidential'))

    return (await noteNotices(context, event('note', { noteId })))[0]
  }
  if (!['push_events', 'tag_push_events', 'repository_update_events'].includes(flag)) return undefined
  const change = await findSampleRef(context, project, flag === 'tag_push_events' ? 'refs/tags/' : 'refs/heads/')
  const notices = change ? await pushNotices(context, event('push', { changes: [change], shown: [change] })) : []

  return notices.find(notice => notice.flag === flag)
}

/** GitLab tests system hooks with a project that does not exist. */
export function systemSample(): Notice {
  const payload = {
    event_name: 'project_create',
    name: 'Ruby',
    path: 'ruby',
    project_id: 1,
    owner_name: 'Someone',
    owner_email: 'example@gitlabhq.com'
  }

  return { audience: 'system', name: 'System Hook', payload }
}

function findSampleProject(em: EntityManager, { kind, id }: Owner) {
  const ofGroup = { namespace: { lineage: { $contains: [String(id)] } } as Partial<Record<keyof Namespace, object>> }
  const where = kind === 'project' ? { id } : kind === 'group' ? ofGroup : {}

  return em.findOne(Project, where as object, { orderBy: { id: 'desc' } })
}

async function newestIssue(em: EntityManager, projectId: number, isConfidential: boolean) {
  const [issue] = await em.find(Issue, { projectId, isConfidential }, { orderBy: { id: 'desc' }, limit: 1 })

  return issue?.id ?? 0
}

async function newestNote(em: EntityManager, projectId: number, isConfidential: boolean) {
  const note = await em
    .getKysely<Tables>()
    .selectFrom('issue_notes as n')
    .innerJoin('issues as i', 'i.id', 'n.issue_id')
    .select('n.id')
    .where('i.project_id', '=', projectId)
    .where('i.is_confidential', '=', isConfidential)
    .where('n.action', 'is', null)
    .orderBy('n.id', 'desc')
    .limit(1)
    .executeTakeFirst()

  return note?.id ?? 0
}

async function findSampleRef({ em, git }: Context, project: Project, prefix: string) {
  const directory = await openRepository(git, await findRepository(em, { projectId: project.id }))
  const pattern = prefix === 'refs/heads/' ? prefix + project.defaultBranch : prefix
  const line = directory && (await git.text(directory, ['for-each-ref', '--count=1', '--format=%(objectname) %(refname)', pattern]))
  const [after, ref] = line ? line.trim().split(' ') : []

  return after && ref ? { ref, before: zeros, after } : undefined
}
