import { Migration } from '@mikro-orm/migrations'

/** Owners of errors by rules, groups as assignees, and priorities. */
export class Ownership extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE error_ownership (
        project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        rules text NOT NULL,
        auto_assigns boolean NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      );

      ALTER TABLE error_groups
        ADD COLUMN assignee_group_id bigint REFERENCES namespaces ON DELETE SET NULL,
        ADD COLUMN priority smallint NOT NULL DEFAULT 2;
      CREATE INDEX error_groups_assignee_group ON error_groups (project_id, assignee_group_id, status, last_seen_at DESC, id DESC)
        WHERE assignee_group_id IS NOT NULL;
      CREATE INDEX error_groups_assigned_group ON error_groups (assignee_group_id) WHERE assignee_group_id IS NOT NULL;
      CREATE INDEX error_groups_priority ON error_groups (project_id, status, priority DESC, id DESC);

      -- Whether they were handled is not known of errors of before this migration.
      UPDATE error_groups SET priority = CASE WHEN level = 'fatal' THEN 3 ELSE 1 END WHERE level IN ('fatal', 'info', 'debug');
    `)
  }
}
