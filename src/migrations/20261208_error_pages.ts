import { Migration } from '@mikro-orm/migrations'

/** The pages of errors read audit and activity events by their target, and search errors by the tags of their events. */
export class ErrorPages extends Migration {
  override up() {
    this.addSql(`
      CREATE INDEX audit_events_error ON audit_events (entity_id, (details->>'target_id'), id)
        WHERE entity_type = 'Project' AND details->>'target_type' = 'Error';
      CREATE INDEX activity_events_error ON activity_events (target_id, id) WHERE target_type = 'Error';

      CREATE INDEX error_groups_regressed ON error_groups (project_id, last_seen_at) WHERE regressed_at IS NOT NULL;

      -- Tags of the events of a group, to search by.
      CREATE TABLE error_tags (
        project_id bigint NOT NULL,
        tag text NOT NULL,
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        PRIMARY KEY (project_id, tag, group_id)
      );
      CREATE INDEX error_tags_group ON error_tags (group_id);
    `)
  }
}
