import { Migration } from '@mikro-orm/migrations'

/** Labels and milestones. */
export class Planning extends Migration {
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
    `)
  }
}
