import { Migration } from '@mikro-orm/migrations'

/** The size of repositories, the number of commits, and the name of the README. Repositories written so far are measured soon. */
export class RepositoryStatistics extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE repositories
        ADD size_bytes bigint NOT NULL DEFAULT 0,
        ADD commit_count integer NOT NULL DEFAULT 0,
        ADD readme text,
        ADD written_at timestamptz,
        ADD maintained_at timestamptz;
      UPDATE repositories SET written_at = now() WHERE is_initialized;
      CREATE INDEX repositories_to_maintain ON repositories (written_at) WHERE maintained_at IS DISTINCT FROM written_at;
    `)
  }
}
