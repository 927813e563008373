import { Migration } from '@mikro-orm/migrations'

/** The commits that a release consists of, as a client named them. */
export class ReleaseCommits extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE error_release_commits (
        project_id bigint NOT NULL,
        version text NOT NULL,
        -- 0 is the latest.
        position integer NOT NULL,
        sha text NOT NULL,
        repository text NOT NULL DEFAULT '',
        author_name text NOT NULL DEFAULT '',
        author_email text NOT NULL DEFAULT '',
        message text NOT NULL DEFAULT '',
        committed_at timestamptz,
        PRIMARY KEY (project_id, version, position),
        FOREIGN KEY (project_id, version) REFERENCES error_releases ON DELETE CASCADE
      );
    `)
  }
}
