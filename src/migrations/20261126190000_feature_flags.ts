import { Migration } from '@mikro-orm/migrations'

/** Feature flags. */
export class FeatureFlags extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE feature_flags (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        is_active boolean NOT NULL DEFAULT true,
        strategies jsonb NOT NULL DEFAULT '[]',
        last_part_id integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX feature_flags_name ON feature_flags (project_id, name);
    `)
  }
}
