import { Migration } from '@mikro-orm/migrations'

/** The repositories of projects, groups and snippets, and the writes in progress that moves wait for. */
export class Repositories extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE repositories (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint UNIQUE REFERENCES projects ON DELETE CASCADE,
        group_id bigint UNIQUE REFERENCES namespaces ON DELETE CASCADE,
        snippet_id bigint UNIQUE,
        storage text NOT NULL,
        path text NOT NULL UNIQUE,
        is_initialized boolean NOT NULL DEFAULT false,
        is_read_only boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CHECK (num_nonnulls(project_id, group_id, snippet_id) = 1)
      );
      CREATE INDEX repositories_storage ON repositories (storage, id);

      CREATE TABLE repository_writes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        repository_id bigint NOT NULL REFERENCES repositories ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX repository_writes_repository ON repository_writes (repository_id);

      INSERT INTO repositories (project_id, storage, path)
        SELECT p.id, p.repository_storage, left(h.name, 2) || '/' || substr(h.name, 3, 2) || '/' || h.name || '.git'
        FROM projects p CROSS JOIN LATERAL (SELECT md5('project' || p.id || gen_random_uuid()) AS name) h;
      INSERT INTO repositories (group_id, storage, path)
        SELECT n.id, 'default', left(h.name, 2) || '/' || substr(h.name, 3, 2) || '/' || h.name || '.git'
        FROM namespaces n CROSS JOIN LATERAL (SELECT md5('group' || n.id || gen_random_uuid()) AS name) h
        WHERE n.kind = 'group';
      ALTER TABLE projects DROP repository_storage;
    `)
  }
}
