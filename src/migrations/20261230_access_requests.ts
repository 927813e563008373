import { Migration } from '@mikro-orm/migrations'

/** Users ask to become members of projects and groups. */
export class AccessRequests extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE access_requests (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT access_requests_of_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE UNIQUE INDEX access_requests_project ON access_requests (project_id, user_id) WHERE project_id IS NOT NULL;
      CREATE UNIQUE INDEX access_requests_group ON access_requests (group_id, user_id) WHERE group_id IS NOT NULL;
      CREATE INDEX access_requests_user ON access_requests (user_id);
    `)
  }
}
