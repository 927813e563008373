import { Migration } from '@mikro-orm/migrations'

/** What turns the frames of minified code back: chunks on their way in, the bundles made of them, and the maps in those. */
export class SourceMaps extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE artifact_chunks (
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        checksum text NOT NULL,
        size integer NOT NULL,
        content bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, checksum)
      );
      ALTER TABLE artifact_chunks ALTER COLUMN content SET STORAGE EXTERNAL;
      CREATE INDEX artifact_chunks_age ON artifact_chunks (created_at);

      CREATE TABLE artifact_bundles (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id bigint REFERENCES users ON DELETE SET NULL,
        checksum text NOT NULL,
        release text NOT NULL,
        dist text NOT NULL,
        chunks text[] NOT NULL,
        state text NOT NULL DEFAULT 'created',
        detail text,
        bytes bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        used_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, checksum, release, dist)
      );
      CREATE INDEX artifact_bundles_age ON artifact_bundles (used_at);
      CREATE INDEX artifact_bundles_pending ON artifact_bundles (user_id) WHERE state IN ('created', 'assembling');

      CREATE TABLE source_maps (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        bundle_id bigint NOT NULL REFERENCES artifact_bundles ON DELETE CASCADE,
        project_id bigint NOT NULL,
        debug_id uuid,
        url text NOT NULL,
        map bytea NOT NULL,
        script bytea
      );
      ALTER TABLE source_maps ALTER COLUMN map SET STORAGE EXTERNAL, ALTER COLUMN script SET STORAGE EXTERNAL;
      CREATE INDEX source_maps_bundle ON source_maps (bundle_id);
      CREATE INDEX source_maps_debug_id ON source_maps (project_id, debug_id) WHERE debug_id IS NOT NULL;
      CREATE INDEX source_maps_url ON source_maps (project_id, url);
    `)
  }
}
