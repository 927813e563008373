import { Migration } from '@mikro-orm/migrations'

/** What people and programs did, project by project. */
export class Activity extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE activity_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL,
        author_id bigint,
        action text NOT NULL,
        target_type text,
        target_id bigint,
        target_iid bigint,
        target_title text,
        note jsonb,
        push_data jsonb,
        is_for_developers boolean NOT NULL,
        key text UNIQUE,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX activity_events_project ON activity_events (project_id, created_at DESC, id DESC);
      CREATE INDEX activity_events_author ON activity_events (author_id, created_at DESC, id DESC);
      CREATE INDEX activity_events_created ON activity_events (created_at DESC, id DESC);
    `)
  }
}
