import { User } from '#identity/users/user.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { WebhookEvent } from '#outbox/outbox-entry.ts'
import { Member, roleName } from '#projects/members/member.ts'
import type { Project } from '#projects/project.ts'
import type { Notice } from '../events.ts'
import { type Context, findProjectOf } from './users-and-projects.ts'

interface AuditData {
  name: string
  at: string
  entityId: number
  /** From the audit event. */
  details: Record<string, unknown> & { target_id?: unknown; target_details?: string; entity_path?: string; from?: string }
}

/** The names that GitLab gives to what is in the audit events. */
const projectEvents: Record<string, string> = {
  project_created: 'project_create',
  project_deleted: 'project_destroy',
  project_renamed: 'project_rename',
  project_transferred: 'project_transfer',
  project_visibility_changed: 'project_update'
}
const groupEvents: Record<string, string> = { group_created: 'group_create', group_deleted: 'group_destroy', group_renamed: 'group_rename' }
const userEvents: Record<string, string> = {
  user_created: 'user_create',
  user_deleted: 'user_destroy',
  user_updated: 'user_rename',
  user_sign_in_failed: 'user_failed_login'
}
const memberEvents: Record<string, { project: string; group: string }> = {
  member_added: { project: 'user_add_to_team', group: 'user_add_to_group' },
  member_updated: { project: 'user_update_for_team', group: 'user_update_for_group' },
  member_removed: { project: 'user_remove_from_team', group: 'user_remove_from_group' }
}

/** Only sent, never stored. */
const download = 'public_repository_download_operation'

/** Something about a project, a group or a user. */
export async function auditNotices(context: Context, event: WebhookEvent): Promise<Notice[]> {
  const data = event.data as unknown as AuditData
  const { name } = data

  if (memberEvents[name]) return memberNotices(context, event, data)
  if (name === download) return downloadNotices(context, event, data)
  const payload = projectEvents[name]
    ? await projectPayload(context, event, data)
    : groupEvents[name]
      ? await groupPayload(context, data)
      : await userPayload(context, data)
  const eventName = (projectEvents[name] ?? groupEvents[name] ?? userEvents[name])!
  const times = { created_at: data.at, updated_at: data.at }
  const notices: Notice[] = [{ audience: 'system', name: 'System Hook', payload: { event_name: eventName, ...times, ...payload } }]

  if (['project_create', 'project_destroy'].includes(eventName)) {
    const shown = { event_name: eventName, ...times, ...payload, owner_email: '', owners: [] }

    notices.push({ flag: 'project_events', audience: 'resource', name: 'Project Hook', payload: shown })
  }

  return notices
}

async function downloadNotices(context: Context, event: WebhookEvent, data: AuditData): Promise<Notice[]> {
  const { author_id, author_name, ip_address } = data.details
  const project = await projectPayload(context, event, data)
  const payload = { event_name: download, created_at: data.at, updated_at: data.at, ...project, author_id, author_name, ip_address }

  return [{ audience: 'system', name: 'System Hook', payload }]
}

async function projectPayload(context: Context, { projectId }: WebhookEvent, { details }: AuditData) {
  const project = await findProjectOf(context, projectId)
  const fullPath = project?.fullPath ?? details.entity_path ?? ''
  const namespace = project?.namespace as Namespace | undefined
  const owner = namespace?.ownerId ? await context.em.findOne(User, { id: namespace.ownerId }) : null
  const ownerName = owner?.name ?? namespace?.name ?? null

  return {
    name: project?.name ?? fullPath.split('/').at(-1),
    owner_email: owner?.email ?? '',
    owner_name: ownerName,
    owners: [{ name: ownerName, email: owner?.email ?? '' }],
    path: project?.path ?? fullPath.split('/').at(-1),
    path_with_namespace: fullPath,
    project_id: projectId,
    project_namespace_id: namespace?.id ?? null,
    project_visibility: project?.visibility ?? details.visibility ?? 'private',
    ...(details.change === 'path' || details.change === 'namespace' ? { old_path_with_namespace: details.from } : {})
  }
}

async function groupPayload({ em }: Context, { entityId, details }: AuditData) {
  const group = await em.findOne(Namespace, { id: entityId })
  const fullPath = group?.fullPath ?? details.entity_path ?? ''
  const path = fullPath.split('/').at(-1)
  const former = details.change === 'path' ? details.from : undefined

  return {
    name: group?.name ?? path,
    path,
    full_path: fullPath,
    group_id: entityId,
    ...(former !== undefined && { old_path: former.split('/').at(-1), old_full_path: former })
  }
}

async function userPayload({ em }: Context, { name, entityId, details }: AuditData) {
  const user = await em.findOne(User, { id: entityId })
  const changes = details.changes as { username?: { from: string } } | undefined

  return {
    name: user?.name ?? details.target_details ?? null,
    email: user?.email ?? details.email ?? null,
    username: user?.username ?? details.target_details ?? null,
    user_id: entityId,
    ...(name === 'user_updated' && { old_username: changes?.username?.from }),
    ...(name === 'user_sign_in_failed' && { state: user?.state ?? null })
  }
}

async function memberNotices(context: Context, { projectId, groupId }: WebhookEvent, { name, at, details }: AuditData): Promise<Notice[]> {
  const user = await context.em.findOne(User, { id: Number(details.target_id) })
  const project = await findProjectOf(context, projectId)
  const group = groupId && !projectId ? await context.em.findOne(Namespace, { id: groupId }) : null
  if (!project && !group) return []
  const member = await context.em.findOne(Member, {
    user: Number(details.target_id),
    ...(project ? { project: project.id } : { group: group!.id })
  })
  const role = member ? roleName(member.accessLevel) : (details.from ?? details.as)
  const person = {
    user_id: Number(details.target_id),
    user_name: user?.name ?? null,
    user_username: user?.username ?? details.target_details,
    user_email: user?.email ?? null
  }
  const payload = {
    event_name: memberEvents[name]![project ? 'project' : 'group'],
    created_at: at,
    updated_at: at,
    ...person,
    ...(project
      ? projectOfMember(project, role)
      : { group_access: role, group_id: group!.id, group_name: group!.name, group_path: group!.path }),
    expires_at: member?.expiresAt ?? null
  }

  return [
    { audience: 'system', name: 'System Hook', payload },
    {
      flag: 'member_events',
      audience: 'resource',
      name: 'Member Hook',
      payload: { ...payload, user_email: user?.publicEmail || '[REDACTED]' }
    }
  ]
}

function projectOfMember({ id, name, path, fullPath, visibility }: Project, role: unknown) {
  return {
    access_level: role,
    project_id: id,
    project_name: name,
    project_path: path,
    project_path_with_namespace: fullPath,
    project_visibility: visibility
  }
}
