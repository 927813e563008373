import { Migration } from '@mikro-orm/migrations'

/** Integrations of projects with other programs. `secrets` is encrypted. */
export class ProjectIntegrations extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE project_integrations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        slug text NOT NULL,
        active boolean NOT NULL,
        properties jsonb NOT NULL,
        secrets bytea,
        events jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX project_integrations_slug ON project_integrations (project_id, slug);
    `)
  }
}
