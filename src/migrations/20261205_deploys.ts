import { Migration } from '@mikro-orm/migrations'

/** What `sentry-cli` tells about a release: where it was deployed, when it was released, and whether it is archived. */
export class Deploys extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_releases
        ADD released_at timestamptz,
        ADD url text,
        ADD is_archived boolean NOT NULL DEFAULT false;

      -- A deploy of a release of several projects has one id and a row per project.
      CREATE SEQUENCE error_deploy_ids;
      CREATE TABLE error_deploys (
        project_id bigint NOT NULL,
        version text NOT NULL,
        id bigint NOT NULL,
        environment text NOT NULL,
        name text,
        url text,
        started_at timestamptz,
        finished_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, version, id),
        FOREIGN KEY (project_id, version) REFERENCES error_releases ON DELETE CASCADE
      );
      CREATE INDEX error_deploys_newest ON error_deploys (project_id, version, finished_at DESC, id DESC);
    `)
  }
}
