import { Migration } from '@mikro-orm/migrations'

/**
 * Search within names needs pg_trgm, which comes with Postgres but not with every host of one: without it, search
 * works and is slow. An extension belongs to the database, so it is not in the schema of one installation.
 */
const searchIndexes = `
  DO $$
  DECLARE operators text;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('pg_trgm'));
    CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
    SELECT extnamespace::regnamespace::text || '.gin_trgm_ops' INTO operators FROM pg_extension WHERE extname = 'pg_trgm';
    EXECUTE format('CREATE INDEX projects_search ON projects USING gin (name %1$s, full_path %1$s)', operators);
    EXECUTE format('CREATE INDEX namespaces_search ON namespaces USING gin (name %1$s, full_path %1$s)', operators);
  EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR invalid_schema_name THEN
    RAISE NOTICE 'no index for search: %', SQLERRM;
  END $$;
`

/** Groups, projects, their members and access tokens. */
export class Projects extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE namespaces (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('user', 'group')),
        name text NOT NULL,
        path text NOT NULL,
        full_path text NOT NULL,
        parent_id bigint REFERENCES namespaces ON DELETE CASCADE,
        owner_id bigint REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        description text NOT NULL DEFAULT '',
        visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'internal', 'public')),
        lineage bigint[] NOT NULL DEFAULT '{}',
        updated_at timestamptz NOT NULL DEFAULT now(),
        default_branch text,
        avatar text,
        marked_for_deletion_at timestamptz,
        marked_with_id bigint REFERENCES namespaces ON DELETE SET NULL
      );
      CREATE UNIQUE INDEX namespaces_full_path ON namespaces (lower(full_path));
      CREATE INDEX namespaces_lineage ON namespaces USING gin (lineage);
      CREATE INDEX namespaces_parent ON namespaces (parent_id);
      CREATE INDEX namespaces_owner ON namespaces (owner_id);
      CREATE INDEX namespaces_groups ON namespaces (name, id) WHERE kind = 'group';
      CREATE INDEX namespaces_marked ON namespaces (marked_for_deletion_at, id) WHERE marked_for_deletion_at IS NOT NULL;
      CREATE INDEX namespaces_marked_with ON namespaces (marked_with_id) WHERE marked_with_id IS NOT NULL;

      -- A namespace and those above it, outermost first: what a membership reaches down to.
      CREATE FUNCTION namespace_lineage() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.lineage := coalesce((SELECT lineage FROM namespaces WHERE id = NEW.parent_id), '{}') || NEW.id;
        RETURN NEW;
      END $$;
      CREATE TRIGGER namespace_lineage BEFORE INSERT ON namespaces FOR EACH ROW EXECUTE FUNCTION namespace_lineage();

      CREATE TABLE projects (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        namespace_id bigint NOT NULL REFERENCES namespaces ON DELETE CASCADE,
        creator_id bigint REFERENCES users ON DELETE SET NULL,
        name text NOT NULL,
        path text NOT NULL,
        full_path text NOT NULL,
        description text,
        visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'internal', 'public')),
        created_at timestamptz NOT NULL DEFAULT now(),
        last_activity_at timestamptz NOT NULL DEFAULT now(),
        is_archived boolean NOT NULL DEFAULT false,
        default_branch text NOT NULL DEFAULT 'main',
        topics text[] NOT NULL DEFAULT '{}',
        monitoring_access_level text NOT NULL DEFAULT 'enabled' CHECK (monitoring_access_level IN ('disabled', 'private', 'enabled')),
        updated_at timestamptz NOT NULL DEFAULT now(),
        issues_access_level text NOT NULL DEFAULT 'enabled' CHECK (issues_access_level IN ('disabled', 'private', 'enabled')),
        avatar text,
        limits_job_tokens boolean NOT NULL DEFAULT true,
        marked_for_deletion_at timestamptz,
        marked_with_id bigint REFERENCES namespaces ON DELETE SET NULL,
        read_only_reason text GENERATED ALWAYS AS (CASE WHEN (marked_for_deletion_at IS NOT NULL) THEN 'marked for deletion' WHEN is_archived THEN 'archived' ELSE NULL::text END) STORED,
        limits_job_token_reach boolean NOT NULL DEFAULT false
      );
      CREATE UNIQUE INDEX projects_full_path ON projects (lower(full_path));
      CREATE INDEX projects_namespace ON projects (namespace_id);
      -- One for each order of the list, led by what decides who sees a project: the first page is read off them.
      CREATE INDEX projects_visible ON projects (visibility, id);
      CREATE INDEX projects_visible_name ON projects (visibility, name, id);
      CREATE INDEX projects_visible_path ON projects (visibility, path, id);
      CREATE INDEX projects_visible_updated ON projects (visibility, updated_at, id);
      CREATE INDEX projects_visible_active ON projects (visibility, last_activity_at, id);
      CREATE INDEX projects_topics ON projects USING gin (topics);
      CREATE INDEX projects_marked ON projects (marked_for_deletion_at, id) WHERE marked_for_deletion_at IS NOT NULL;
      CREATE INDEX projects_marked_with ON projects (marked_with_id) WHERE marked_with_id IS NOT NULL;
      CREATE INDEX projects_read_only ON projects (id) WHERE read_only_reason IS NOT NULL;

      -- The last number of each kind of thing in a project. A transaction that takes the next one locks its row.
      CREATE TABLE project_counters (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('alerts', 'issues', 'pipelines')),
        last bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, kind)
      ) WITH (fillfactor = 50);

      CREATE TABLE redirects (
        full_path text NOT NULL,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT redirects_to_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE UNIQUE INDEX redirects_full_path ON redirects (lower(full_path));
      CREATE INDEX redirects_project ON redirects (project_id);
      CREATE INDEX redirects_group ON redirects (group_id);

      CREATE TABLE members (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        access_level smallint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        created_by_id bigint REFERENCES users ON DELETE SET NULL,
        expires_at date,
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, user_id),
        CONSTRAINT members_of_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE INDEX members_user ON members (user_id);
      CREATE UNIQUE INDEX members_group ON members (group_id, user_id);

      CREATE TABLE group_shares (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        with_group_id bigint NOT NULL REFERENCES namespaces ON DELETE CASCADE,
        access_level smallint NOT NULL,
        expires_at date,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT group_shares_of_one CHECK (num_nonnulls(project_id, group_id) = 1),
        UNIQUE (project_id, with_group_id),
        UNIQUE (group_id, with_group_id)
      );
      CREATE INDEX group_shares_with ON group_shares (with_group_id);

      -- The members of projects and groups, and those of the groups they are shared with: for a project also the inherited
      -- members of such a group. Bots of access tokens reach nothing beyond their own project or group.
      CREATE VIEW memberships AS
      SELECT id, project_id, group_id, user_id, access_level, created_by_id, expires_at, created_at, false AS is_shared FROM members
      UNION ALL
      SELECT m.id, s.project_id, NULL, m.user_id, least(m.access_level, s.access_level), m.created_by_id,
             least(m.expires_at, s.expires_at), m.created_at, true
      FROM group_shares s
      JOIN namespaces n ON n.id = s.with_group_id
      JOIN members m ON n.lineage @> ARRAY[m.group_id]
      JOIN users u ON u.id = m.user_id AND u.kind = 'human'
      WHERE s.project_id IS NOT NULL
      UNION ALL
      SELECT m.id, NULL, s.group_id, m.user_id, least(m.access_level, s.access_level), m.created_by_id,
             least(m.expires_at, s.expires_at), m.created_at, true
      FROM group_shares s
      JOIN members m ON m.group_id = s.with_group_id
      JOIN users u ON u.id = m.user_id AND u.kind = 'human'
      WHERE s.group_id IS NOT NULL;

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

      CREATE TABLE invitations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        email text NOT NULL CHECK (length(email) <= 255),
        access_level smallint NOT NULL,
        expires_at date,
        created_by_id bigint REFERENCES users ON DELETE SET NULL,
        salt bytea NOT NULL,
        open_until timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT invitations_of_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE UNIQUE INDEX invitations_project ON invitations (project_id, lower(email)) WHERE project_id IS NOT NULL;
      CREATE UNIQUE INDEX invitations_group ON invitations (group_id, lower(email)) WHERE group_id IS NOT NULL;
      CREATE INDEX invitations_email ON invitations (lower(email));
      CREATE INDEX invitations_created_by ON invitations (created_by_id);
      CREATE INDEX invitations_open_until ON invitations (open_until);

      CREATE TABLE deploy_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        name text NOT NULL,
        username text NOT NULL,
        token_hash bytea NOT NULL UNIQUE,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT deploy_tokens_of_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE INDEX deploy_tokens_project ON deploy_tokens (project_id);
      CREATE INDEX deploy_tokens_group ON deploy_tokens (group_id);

      CREATE TABLE access_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        name text NOT NULL,
        token_hash bytea NOT NULL UNIQUE,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz,
        kind text NOT NULL DEFAULT 'personal' CHECK (kind IN ('personal', 'project', 'group', 'impersonation')),
        description text,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        family_id bigint REFERENCES access_tokens ON DELETE SET NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX access_tokens_user ON access_tokens (user_id);
      CREATE INDEX access_tokens_project ON access_tokens (project_id);
      CREATE INDEX access_tokens_group ON access_tokens (group_id);
      CREATE INDEX access_tokens_family ON access_tokens (family_id);

      CREATE TABLE project_stars (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, user_id)
      );
      CREATE INDEX project_stars_user ON project_stars (user_id);
    `)
    this.addSql(searchIndexes)
  }
}
