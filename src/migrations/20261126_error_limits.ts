import { Migration } from '@mikro-orm/migrations'

/** What failed for good is counted until it succeeds after all, and everything that is counted can be found by its age. */
export class ErrorLimits extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE error_failures (
        envelope_id uuid PRIMARY KEY,
        project_id bigint NOT NULL,
        day date NOT NULL
      );
      CREATE INDEX error_failures_age ON error_failures (day);
      CREATE INDEX error_failures_project ON error_failures (project_id);

      CREATE INDEX error_drop_marks_age ON error_drop_marks (counted_at);
      CREATE INDEX error_tallies_age ON error_tallies (hour);
      CREATE INDEX error_sessions_age ON error_sessions (hour);
      CREATE INDEX error_feedback_age ON error_feedback (received_at);
      CREATE INDEX error_feedback_project_age ON error_feedback (project_id, received_at);
      CREATE INDEX error_attachments_project_age ON error_attachments (project_id, received_at);
      CREATE INDEX error_drops_age ON error_drops (day);
      CREATE INDEX error_losses_age ON error_losses (day);
      CREATE INDEX error_keeps_age ON error_keeps (day);
    `)
  }
}
