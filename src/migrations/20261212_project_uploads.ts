import { Migration } from '@mikro-orm/migrations'

/** Files that users attach to texts in a project. */
export class ProjectUploads extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE project_uploads (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id bigint REFERENCES users ON DELETE SET NULL,
        secret text NOT NULL,
        filename text NOT NULL,
        size integer NOT NULL,
        stored_as text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, secret)
      );
      CREATE INDEX project_uploads_stored ON project_uploads (stored_as);
      CREATE INDEX project_uploads_user ON project_uploads (user_id);
    `)
  }
}
