import { Migration } from '@mikro-orm/migrations'

/** What GitLab's API stores for static sites, which are not hosted here. */
export class Pages extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE pages_settings (
        project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        is_unique_domain_enabled boolean NOT NULL,
        is_https_only boolean NOT NULL,
        primary_domain text,
        updated_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE pages_domains (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        domain text NOT NULL,
        verification_code text NOT NULL,
        is_auto_ssl boolean NOT NULL,
        certificate text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX pages_domains_domain ON pages_domains (domain);
      CREATE INDEX pages_domains_project ON pages_domains (project_id);
    `)
  }
}
