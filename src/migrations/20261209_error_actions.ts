import { Migration } from '@mikro-orm/migrations'

/** Errors are ignored until more users have them, and linked to an incident; searches are saved. */
export class ErrorActions extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_groups
        ADD ignored_until_users bigint,
        ADD issue_id bigint REFERENCES issues ON DELETE SET NULL;
      CREATE INDEX error_groups_issue ON error_groups (issue_id) WHERE issue_id IS NOT NULL;

      CREATE TABLE error_searches_saved (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        -- Null for a search that all developers of the project see.
        user_id bigint REFERENCES users ON DELETE CASCADE,
        name text NOT NULL,
        query text NOT NULL,
        sort text NOT NULL
      );
      CREATE INDEX error_searches_saved_project ON error_searches_saved (project_id, user_id);
      CREATE INDEX error_searches_saved_user ON error_searches_saved (user_id);
    `)
  }
}
