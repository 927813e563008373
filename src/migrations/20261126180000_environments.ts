import { Migration } from '@mikro-orm/migrations'

/** Environments. */
export class Environments extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE environments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        slug text NOT NULL,
        description text,
        external_url text,
        tier text NOT NULL,
        state text NOT NULL DEFAULT 'available',
        deleted_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX environments_name ON environments (project_id, name);
    `)
  }
}
