import { Migration } from '@mikro-orm/migrations'

/** The audit log and activity. */
export class History extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE audit_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        author_id bigint,
        entity_type text NOT NULL CHECK (entity_type IN ('User', 'Group', 'Project', 'Instance')),
        entity_id bigint NOT NULL,
        details jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX audit_events_entity ON audit_events (entity_type, entity_id, id DESC);
      CREATE INDEX audit_events_created ON audit_events (created_at);
      CREATE INDEX audit_events_error ON audit_events (entity_id, (details ->> 'target_id'), id) WHERE (entity_type = 'Project' AND ((details ->> 'target_type') = 'Error'));

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
      CREATE INDEX activity_events_error ON activity_events (target_id, id) WHERE target_type = 'Error';
    `)
  }
}
