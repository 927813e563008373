import { Migration } from '@mikro-orm/migrations'

/** Snippets of users and projects. Their files lie in git repositories. */
export class Snippets extends Migration {
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

      ALTER TABLE repositories ADD FOREIGN KEY (snippet_id) REFERENCES snippets ON DELETE CASCADE;
    `)
  }
}
