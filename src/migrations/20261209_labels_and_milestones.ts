import { Migration } from '@mikro-orm/migrations'

/** Labels and milestones of projects and groups, and how those of issues changed. */
export class LabelsAndMilestones extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE labels (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        name text NOT NULL,
        color text NOT NULL,
        description text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT labels_of_one CHECK (num_nonnulls(project_id, group_id) = 1),
        UNIQUE (project_id, name),
        UNIQUE (group_id, name)
      );
      CREATE TABLE label_priorities (
        label_id bigint NOT NULL REFERENCES labels ON DELETE CASCADE,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        priority integer NOT NULL,
        PRIMARY KEY (label_id, project_id)
      );
      CREATE INDEX label_priorities_project ON label_priorities (project_id);
      CREATE TABLE label_subscriptions (
        label_id bigint NOT NULL REFERENCES labels ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        PRIMARY KEY (label_id, user_id)
      );
      CREATE INDEX label_subscriptions_user ON label_subscriptions (user_id);
      CREATE TABLE issue_labels (
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        label_id bigint NOT NULL REFERENCES labels ON DELETE CASCADE,
        PRIMARY KEY (issue_id, label_id)
      );
      CREATE INDEX issue_labels_label ON issue_labels (label_id);

      CREATE TABLE milestones (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        iid bigint NOT NULL,
        title text NOT NULL,
        description text,
        state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'closed')),
        start_date date,
        due_date date,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT milestones_of_one CHECK (num_nonnulls(project_id, group_id) = 1),
        UNIQUE (project_id, iid),
        UNIQUE (group_id, iid),
        UNIQUE (project_id, title),
        UNIQUE (group_id, title)
      );
      ALTER TABLE issues ADD milestone_id bigint REFERENCES milestones ON DELETE SET NULL;
      CREATE INDEX issues_milestone ON issues (milestone_id) WHERE milestone_id IS NOT NULL;

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
    `)
  }
}
