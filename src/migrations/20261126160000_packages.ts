import { Migration } from '@mikro-orm/migrations'

/** Generic packages. */
export class Packages extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE packages (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        type text NOT NULL,
        name text NOT NULL,
        version text NOT NULL,
        status text NOT NULL,
        creator_id bigint REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_downloaded_at timestamptz,
        UNIQUE (project_id, type, name, version)
      );
      CREATE INDEX packages_creator ON packages (creator_id);

      CREATE TABLE package_files (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        package_id bigint NOT NULL REFERENCES packages ON DELETE CASCADE,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        -- The pipeline whose job published it.
        pipeline_id bigint REFERENCES ci_pipelines ON DELETE SET NULL,
        name text NOT NULL,
        size bigint NOT NULL,
        sha256 bytea NOT NULL,
        stored_as text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX package_files_name ON package_files (package_id, name, id);
      CREATE INDEX package_files_project ON package_files (project_id);
      CREATE INDEX package_files_pipeline ON package_files (pipeline_id, package_id);
    `)
  }
}
