import { Migration } from '@mikro-orm/migrations'

/** Moves of repositories between storages, one by one and in bulk. */
export class StorageMoves extends Migration {
  override up() {
    this.addSql(`
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
      CREATE UNIQUE INDEX repository_storage_moves_open ON repository_storage_moves (repository_id)
        WHERE state IN ('scheduled', 'started', 'replicated');
    `)
  }
}
