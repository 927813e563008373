import { Migration } from '@mikro-orm/migrations'

/** The credential of an external tracker, and what reads of release health and of feedback need. */
export class Monitoring extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_settings ADD tracker_token bytea;
      CREATE INDEX error_sessions_release ON error_sessions (project_id, release, hour);
      CREATE INDEX error_releases_newest ON error_releases (project_id, first_seen_at DESC, version DESC);
      CREATE INDEX error_feedback_event ON error_feedback (project_id, event_id);
    `)
  }
}
