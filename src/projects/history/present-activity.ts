import { type Action, actionName } from '#activity/actions.ts'
import type { Activity } from '#activity/activity-store.ts'
import { writeTime } from '#lib/time.ts'
import { type PersonLike, presentPerson } from '../present-project.ts'

/** A row of `activity_events` as JSON, with its author. */
export interface ActivityRow {
  id: number
  project_id: number
  action: Action
  target_type: string | null
  target_id: number | null
  target_iid: number | null
  target_title: string | null
  note: Activity['note'] | null
  push_data: Record<string, string | number> | null
  created_at: string
  author: PersonLike | null
}

export function presentEvent(event: ActivityRow, baseUrl: string) {
  const author = event.author && presentPerson(event.author, baseUrl)

  return {
    id: event.id,
    title: null,
    project_id: event.project_id,
    action_name: actionName(event.action, event.target_type),
    target_id: event.target_id,
    target_iid: event.target_iid,
    target_type: event.target_type,
    author_id: author?.id ?? null,
    target_title: event.target_title,
    created_at: writeTime(event.created_at),
    author,
    author_username: author?.username ?? null,
    data: null,
    ...(event.note && { note: presentNote(event.note, author, event.created_at) }),
    ...(event.push_data && { push_data: { ...emptyPush, ...event.push_data } })
  }
}

function presentNote(note: NonNullable<Activity['note']>, author: ReturnType<typeof presentPerson> | null, createdAt: string) {
  return {
    id: note.id ?? null,
    body: note.body,
    attachment: null,
    author,
    created_at: writeTime(createdAt),
    system: false,
    noteable_id: note.noteable_id ?? null,
    noteable_type: note.noteable_type ?? null,
    noteable_iid: note.noteable_iid ?? null
  }
}

const emptyPush = { commit_count: 0, action: null, ref_type: null, commit_from: null, commit_to: null, ref: null, commit_title: null }
