import { Migration } from '@mikro-orm/migrations'

/** Snippets, repositories and their moves between storages. */
export class Repositories extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE snippets (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        author_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        title text NOT NULL,
        description text,
        visibility text NOT NULL DEFAULT 'private',
        file_names text[] NOT NULL,
        user_agent text NOT NULL,
        ip_address text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX snippets_author ON snippets (author_id, id);
      CREATE INDEX snippets_project ON snippets (project_id, id) WHERE project_id IS NOT NULL;

      CREATE TABLE repositories (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint UNIQUE REFERENCES projects ON DELETE CASCADE,
        group_id bigint UNIQUE REFERENCES namespaces ON DELETE CASCADE,
        snippet_id bigint UNIQUE REFERENCES snippets ON DELETE CASCADE,
        storage text NOT NULL,
        path text NOT NULL UNIQUE,
        is_initialized boolean NOT NULL DEFAULT false,
        is_read_only boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        size_bytes bigint NOT NULL DEFAULT 0,
        readme text,
        written_at timestamptz,
        maintained_at timestamptz,
        CHECK (num_nonnulls(project_id, group_id, snippet_id) = 1)
      );
      CREATE INDEX repositories_storage ON repositories (storage, id);
      CREATE INDEX repositories_to_maintain ON repositories (written_at) WHERE maintained_at IS DISTINCT FROM written_at;

      CREATE TABLE repository_writes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        repository_id bigint NOT NULL REFERENCES repositories ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX repository_writes_repository ON repository_writes (repository_id);

      CREATE TABLE repository_bulk_moves (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        source_storage text NOT NULL,
        destination_storage text,
        total integer NOT NULL,
        last_repository_id bigint NOT NULL DEFAULT 0,
        skipped integer NOT NULL DEFAULT 0,
        created_by_id bigint REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz
      );
      CREATE INDEX repository_bulk_moves_creator ON repository_bulk_moves (created_by_id);
      CREATE INDEX repository_bulk_moves_open ON repository_bulk_moves (id) WHERE finished_at IS NULL;

      CREATE TABLE repository_storage_moves (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        repository_id bigint NOT NULL REFERENCES repositories ON DELETE CASCADE,
        bulk_move_id bigint REFERENCES repository_bulk_moves ON DELETE SET NULL,
        state text NOT NULL,
        history jsonb NOT NULL,
        source_storage text NOT NULL,
        source_path text NOT NULL,
        destination_storage text NOT NULL,
        destination_path text,
        attempts integer NOT NULL DEFAULT 0,
        error_message text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX repository_storage_moves_repository ON repository_storage_moves (repository_id, id);
      CREATE INDEX repository_storage_moves_bulk ON repository_storage_moves (bulk_move_id, state);
      CREATE UNIQUE INDEX repository_storage_moves_open ON repository_storage_moves (repository_id) WHERE state IN ('scheduled', 'started', 'replicated');
    `)
  }
}
