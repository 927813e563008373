import { Migration } from '@mikro-orm/migrations'

/** Errors that were merged lead to another, and their events follow in steps. */
export class Merges extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_groups ADD merged_into bigint REFERENCES error_groups ON DELETE CASCADE;
      CREATE INDEX error_groups_merged ON error_groups (merged_into) WHERE merged_into IS NOT NULL;

      CREATE TABLE error_moves (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        from_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        to_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        hashes bytea[],
        total bigint,
        moved bigint NOT NULL DEFAULT 0,
        reached_at timestamptz,
        reached_id uuid,
        started_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX error_moves_from ON error_moves (from_id);
      CREATE INDEX error_moves_to ON error_moves (to_id);
    `)
  }
}
