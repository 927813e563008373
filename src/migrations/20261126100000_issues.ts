import { Migration } from '@mikro-orm/migrations'

/** Issues and incidents. */
export class Issues extends Migration {
  override up() {
    this.addSql(`
      -- In the order in which they are sorted.
      CREATE TYPE alert_severity AS ENUM ('critical', 'high', 'medium', 'low', 'info', 'unknown');

      CREATE TABLE issues (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        iid bigint NOT NULL,
        issue_type text NOT NULL DEFAULT 'issue' CHECK (issue_type IN ('issue', 'incident')),
        state text NOT NULL DEFAULT 'opened' CHECK (state IN ('opened', 'closed')),
        title text NOT NULL,
        description text,
        severity alert_severity NOT NULL DEFAULT 'unknown',
        author_id bigint REFERENCES users ON DELETE SET NULL,
        closed_by_id bigint REFERENCES users ON DELETE SET NULL,
        closed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        milestone_id bigint REFERENCES milestones ON DELETE SET NULL,
        due_date date,
        is_confidential boolean NOT NULL DEFAULT false,
        time_estimate integer NOT NULL DEFAULT 0 CHECK (time_estimate >= 0),
        time_spent integer NOT NULL DEFAULT 0 CHECK (time_spent >= 0),
        moved_to_id bigint REFERENCES issues ON DELETE SET NULL,
        UNIQUE (project_id, iid)
      );
      CREATE INDEX issues_author ON issues (author_id);
      CREATE INDEX issues_state ON issues (project_id, issue_type, state, created_at DESC, id DESC);
      CREATE INDEX issues_milestone ON issues (milestone_id) WHERE milestone_id IS NOT NULL;
      CREATE INDEX issues_due ON issues (due_date) WHERE due_date IS NOT NULL AND state = 'opened';
      CREATE INDEX issues_confidential ON issues (project_id, id) WHERE is_confidential;
      CREATE INDEX issues_moved_to ON issues (moved_to_id) WHERE moved_to_id IS NOT NULL;

      ALTER TABLE error_groups ADD FOREIGN KEY (issue_id) REFERENCES issues ON DELETE SET NULL;

      CREATE TABLE issue_assignees (
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        PRIMARY KEY (issue_id, user_id)
      );
      CREATE INDEX issue_assignees_user ON issue_assignees (user_id);

      CREATE TABLE issue_labels (
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        label_id bigint NOT NULL REFERENCES labels ON DELETE CASCADE,
        PRIMARY KEY (issue_id, label_id)
      );
      CREATE INDEX issue_labels_label ON issue_labels (label_id);

      -- Comments and changes: a change has an action.
      CREATE TABLE issue_notes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        author_id bigint REFERENCES users ON DELETE SET NULL,
        action text,
        body text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        discussion_id text NOT NULL DEFAULT "left"(encode(sha256(((gen_random_uuid())::text)::bytea), 'hex'), 40),
        is_threaded boolean NOT NULL DEFAULT false,
        incident_status text
      );
      CREATE INDEX issue_notes_issue ON issue_notes (issue_id, id);
      CREATE INDEX issue_notes_discussion ON issue_notes (issue_id, discussion_id);
      CREATE INDEX issue_notes_incident_status ON issue_notes (issue_id, id) WHERE incident_status IS NOT NULL;

      CREATE TABLE issue_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        user_id bigint REFERENCES users ON DELETE SET NULL,
        kind text NOT NULL CHECK (kind IN ('label', 'milestone', 'state')),
        action text NOT NULL CHECK (action IN ('add', 'remove', 'closed', 'reopened')),
        label_id bigint REFERENCES labels ON DELETE SET NULL,
        milestone_id bigint REFERENCES milestones ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX issue_events_issue ON issue_events (issue_id, kind, id);
      CREATE INDEX issue_events_user ON issue_events (user_id);
      CREATE INDEX issue_events_label ON issue_events (label_id);
      CREATE INDEX issue_events_milestone ON issue_events (milestone_id);

      CREATE TABLE issue_links (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        source_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        target_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        link_type text NOT NULL DEFAULT 'relates_to' CHECK (link_type IN ('relates_to', 'blocks', 'is_blocked_by')),
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (source_id, target_id)
      );
      CREATE INDEX issue_links_target ON issue_links (target_id);

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
