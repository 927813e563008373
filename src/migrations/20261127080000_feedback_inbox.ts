import { Migration } from '@mikro-orm/migrations'

/** Feedback is worked on: it has a state and an assignee, and says where it was given. */
export class FeedbackInbox extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_feedback
        -- Of the feedback itself: screenshots name it.
        ADD COLUMN own_id uuid,
        ADD COLUMN url text NOT NULL DEFAULT '',
        ADD COLUMN release text NOT NULL DEFAULT '',
        ADD COLUMN environment text NOT NULL DEFAULT '',
        ADD COLUMN status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved', 'spam')),
        ADD COLUMN assignee_id bigint REFERENCES users ON DELETE SET NULL;
      CREATE INDEX error_feedback_status ON error_feedback (project_id, status, id DESC);
      CREATE INDEX error_feedback_assignee ON error_feedback (assignee_id) WHERE assignee_id IS NOT NULL;
    `)
  }
}
