import { Migration } from '@mikro-orm/migrations'

/** Subscriptions to issues, the time they take, and where they were moved to. */
export class IssueParticipation extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE issues
        ADD COLUMN time_estimate integer NOT NULL DEFAULT 0 CHECK (time_estimate >= 0),
        ADD COLUMN time_spent integer NOT NULL DEFAULT 0 CHECK (time_spent >= 0),
        ADD COLUMN moved_to_id bigint REFERENCES issues ON DELETE SET NULL;
      CREATE INDEX issues_moved_to ON issues (moved_to_id) WHERE moved_to_id IS NOT NULL;

      CREATE TABLE issue_subscriptions (
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        is_subscribed boolean NOT NULL,
        PRIMARY KEY (issue_id, user_id)
      );
      CREATE INDEX issue_subscriptions_user ON issue_subscriptions (user_id);
    `)
  }
}
