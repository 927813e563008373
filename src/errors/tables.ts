import type { Generated } from 'kysely'

/** A timestamp as text, in a format that `Date.parse` reads. */
type Time = string
/** The driver returns bigint as text: convert it with `Number`. */
type Bigint = number

/** Tables without an entity, with the columns that Kysely queries use. */
export interface ErrorTables {
  error_groups: { id: Bigint; project_id: Bigint; is_message: boolean; last_seen_at: Time }
  error_events: EventTable
  error_feedback: FeedbackTable
  error_attachments: AttachmentTable
  error_releases: ReleaseTable
  error_deploys: DeployTable
  error_sessions: SessionTable
  error_user_days: UserDayTable
  error_hourly_counts: { project_id: Bigint; group_id: Bigint; hour: Time; events: Bigint }
  error_stored_counts: Omit<OutcomeTable, 'reason'>
  error_dropped_counts: OutcomeTable
  error_client_discards: OutcomeTable
  error_moves: { id: Bigint; from_id: Bigint; to_id: Bigint; hashes: Buffer[] | null; moved: Bigint; total: Bigint | null }
  error_hashes: { project_id: Bigint; hash: Buffer; group_id: Bigint }
}

export interface EventTable {
  project_id: Bigint
  group_id: Bigint
  event_id: string
  /** UTC day of receipt: the partition. */
  day: string
  occurred_at: Time
  received_at: Time
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
  id: Bigint
  project_id: Bigint
  event_id: string | null
  name: string
  email: string
  comments: string
  received_at: Time
}

export interface AttachmentTable {
  id: Bigint
  project_id: Bigint
  event_id: string | null
  filename: string
  content_type: string | null
  size: number
  content: Buffer
  received_at: Time
}

export interface ReleaseTable {
  project_id: Bigint
  version: string
  first_seen_at: Time
  last_seen_at: Time
  released_at: Time | null
  url: string | null
  is_archived: Generated<boolean>
}

/** A deploy of a release of several projects has the same id in each. */
export interface DeployTable {
  project_id: Bigint
  version: string
  id: Bigint
  environment: string
  name: string | null
  url: string | null
  started_at: Time | null
  finished_at: Time
}

export interface SessionTable {
  project_id: Bigint
  hour: Time
  release: string
  environment: string
  started: Bigint
  errored: Bigint
  crashed: Bigint
  abnormal: Bigint
}

/** Users whom sessions name, once a day. */
interface UserDayTable {
  project_id: Bigint
  day: string
  release: string
  environment: string
  users: Bigint
  crashed: Bigint
}

interface OutcomeTable {
  project_id: Bigint
  day: string
  category: string
  reason: string
  /** The client key; 0 when it is not known. */
  key_id: Generated<Bigint>
  items: Bigint
}
