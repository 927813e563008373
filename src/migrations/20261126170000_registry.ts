import { Migration } from '@mikro-orm/migrations'

/** Container images. */
export class Registry extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE image_repositories (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- Null after the project was deleted, until the registry has deleted the images.
        project_id bigint REFERENCES projects ON DELETE SET NULL,
        -- In the registry; in lower case. It stays when the project is renamed.
        path text NOT NULL UNIQUE,
        is_deleting boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX image_repositories_project ON image_repositories (project_id, id);
      CREATE INDEX image_repositories_deleting ON image_repositories (id) WHERE is_deleting OR project_id IS NULL;
    `)
  }
}
