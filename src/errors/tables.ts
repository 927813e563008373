import type { Generated } from 'kysely'
import type { FeedbackStatus } from './feedback/feedback-store.ts'

/** Tables without an entity. */
declare module '#platform/database/database.ts' {
  interface Tables {
    error_events: EventTable
    error_feedback: FeedbackTable
    error_attachments: AttachmentTable
    error_releases: ReleaseTable
    error_deploys: DeployTable
    error_sessions: SessionTable
    error_user_days: UserDayTable
    error_hourly_counts: { project_id: number; group_id: number; hour: Date; events: number }
    error_stored_counts: Omit<OutcomeTable, 'reason'>
    error_dropped_counts: OutcomeTable
    error_client_discards: OutcomeTable
    error_moves: { id: number; from_id: number; to_id: number; hashes: Buffer[] | null; moved: number; total: number | null }
    error_hashes: { project_id: number; hash: Buffer; group_id: number }
    artifact_bundles: BundleTable
    artifact_chunks: { user_id: number; checksum: string; size: number; content: Buffer }
    source_maps: SourceMapTable
  }
}

export interface EventTable {
  project_id: number
  group_id: number
  event_id: string
  /** UTC day of receipt: the partition. */
  day: string
  occurred_at: Date
  received_at: Date
  level: string
  environment: string | null
  release: string | null
  platform: string | null
  tags: string[]
  hash: Buffer
  envelope_id: string | null
  payload: Buffer
}

export interface FeedbackTable {
  id: number
  project_id: number
  event_id: string | null
  name: string
  email: string
  comments: string
  received_at: Date
  own_id: string | null
  url: string
  release: string
  environment: string
  status: FeedbackStatus
  assignee_id: number | null
}

export interface AttachmentTable {
  id: number
  project_id: number
  event_id: string | null
  filename: string
  content_type: string | null
  size: number
  content: Buffer
  received_at: Date
}

export interface ReleaseTable {
  project_id: number
  version: string
  first_seen_at: Date
  last_seen_at: Date
  released_at: Date | null
  url: string | null
  is_archived: Generated<boolean>
  /** As a client named it, perhaps shortened. */
  commit_sha: string | null
}

/** A deploy of a release of several projects has the same id in each. */
export interface DeployTable {
  project_id: number
  version: string
  id: number
  environment: string
  name: string | null
  url: string | null
  started_at: Date | null
  finished_at: Date
}

export interface SessionTable {
  project_id: number
  hour: Date
  release: string
  environment: string
  started: number
  errored: number
  crashed: number
  abnormal: number
}

/** Users whom sessions name, once a day. */
interface UserDayTable {
  project_id: number
  day: string
  release: string
  environment: string
  users: number
  crashed: number
}

interface OutcomeTable {
  project_id: number
  day: string
  category: string
  reason: string
  /** The client key; 0 when it is not known. */
  key_id: Generated<number>
  items: number
}

/** Source maps that were uploaded together for a release. */
export interface BundleTable {
  id: Generated<number>
  project_id: number
  /** Who uploaded it. */
  user_id: number | null
  checksum: string
  release: string
  dist: string
  chunks: string[]
  state: 'created' | 'assembling' | 'ok' | 'error'
  detail: string | null
  bytes: Generated<number>
  used_at: Generated<Date>
}

interface SourceMapTable {
  id: Generated<number>
  bundle_id: number
  project_id: number
  debug_id: string | null
  url: string
  map: Buffer
  script: Buffer | null
}
