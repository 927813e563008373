import { Migration } from '@mikro-orm/migrations'

/** Commits that repositories elsewhere push, the files that commits change, and the errors that they fix. */
export class PushedCommits extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE push_secrets (
        project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        secret bytea NOT NULL,
        last_push_at timestamptz
      );
      CREATE TABLE pushed_commits (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        repository text NOT NULL,
        branch text NOT NULL,
        sha text NOT NULL,
        author_name text NOT NULL,
        author_email text NOT NULL,
        message text NOT NULL,
        paths text[] NOT NULL,
        committed_at timestamptz,
        pushed_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, repository, branch, sha)
      );
      CREATE INDEX pushed_commits_sha ON pushed_commits (project_id, sha text_pattern_ops);
      CREATE INDEX pushed_commits_pushed_at ON pushed_commits (pushed_at);

      ALTER TABLE error_release_commits ADD COLUMN paths text[] NOT NULL DEFAULT '{}';

      -- When its commits are looked for; null once they are known, or given up. Releases of before this migration are not looked at.
      ALTER TABLE error_releases ADD COLUMN link_commits_at timestamptz;
      ALTER TABLE error_releases ALTER COLUMN link_commits_at SET DEFAULT now();
      CREATE INDEX error_releases_link_commits_at ON error_releases (link_commits_at) WHERE link_commits_at IS NOT NULL;

      ALTER TABLE error_deploys ADD COLUMN has_applied_fixes boolean NOT NULL DEFAULT true;
      ALTER TABLE error_deploys ALTER COLUMN has_applied_fixes SET DEFAULT false;
      CREATE INDEX error_deploys_unapplied ON error_deploys (project_id) WHERE NOT has_applied_fixes;

      -- Errors that a commit of a release says it fixes. Applied once such a release is deployed.
      CREATE TABLE error_fixes (
        project_id bigint NOT NULL,
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        version text NOT NULL,
        sha text NOT NULL,
        applied_at timestamptz,
        PRIMARY KEY (project_id, group_id, version, sha),
        FOREIGN KEY (project_id, version) REFERENCES error_releases ON DELETE CASCADE
      );
      CREATE INDEX error_fixes_group ON error_fixes (group_id);
    `)
  }
}
