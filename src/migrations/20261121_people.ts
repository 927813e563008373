import { Migration } from '@mikro-orm/migrations'

/**
 * Search within names needs pg_trgm, which comes with Postgres but not with every host of one: without it, search
 * works and is slow. An extension belongs to the database, so it must not lie in the schema of one installation.
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

/** Groups with members, tokens of every kind, two-factor, redirects of renamed paths, the audit log. */
export class People extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE users
        ADD kind text NOT NULL DEFAULT 'human' CHECK (kind IN ('human', 'project_bot', 'group_bot')),
        ADD public_email text NOT NULL DEFAULT '',
        ADD bio text NOT NULL DEFAULT '',
        ADD location text NOT NULL DEFAULT '',
        ADD organization text NOT NULL DEFAULT '',
        ADD job_title text NOT NULL DEFAULT '',
        ADD website_url text NOT NULL DEFAULT '',
        ADD note text,
        ADD is_private_profile boolean NOT NULL DEFAULT false,
        ADD is_external boolean NOT NULL DEFAULT false,
        ADD can_create_group boolean NOT NULL DEFAULT true,
        ADD failed_sign_ins smallint NOT NULL DEFAULT 0,
        ADD locked_until timestamptz,
        ADD totp_secret bytea,
        ADD totp_enabled_at timestamptz,
        ADD totp_last_step bigint,
        ADD recovery_codes bytea[] NOT NULL DEFAULT '{}',
        ADD current_sign_in_at timestamptz,
        ADD last_sign_in_at timestamptz,
        ADD updated_at timestamptz NOT NULL DEFAULT now();
      CREATE INDEX users_name ON users (name, id);
      CREATE INDEX users_username_order ON users (username, id);

      ALTER TABLE sessions
        ADD awaits_code boolean NOT NULL DEFAULT false,
        ADD seen_at timestamptz NOT NULL DEFAULT now();

      ALTER TABLE namespaces
        ADD description text NOT NULL DEFAULT '',
        ADD visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'internal', 'public')),
        ADD lineage bigint[] NOT NULL DEFAULT '{}',
        ADD updated_at timestamptz NOT NULL DEFAULT now();
      UPDATE namespaces SET lineage = ARRAY[id];

      -- A namespace and those above it, outermost first: what a membership reaches down to.
      CREATE FUNCTION namespace_lineage() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.lineage := coalesce((SELECT lineage FROM namespaces WHERE id = NEW.parent_id), '{}') || NEW.id;
        RETURN NEW;
      END $$;
      CREATE TRIGGER namespace_lineage BEFORE INSERT ON namespaces FOR EACH ROW EXECUTE FUNCTION namespace_lineage();
      CREATE INDEX namespaces_lineage ON namespaces USING gin (lineage);
      CREATE INDEX namespaces_parent ON namespaces (parent_id);
      CREATE INDEX namespaces_owner ON namespaces (owner_id);
      CREATE INDEX namespaces_groups ON namespaces (name, id) WHERE kind = 'group';

      ALTER TABLE projects
        ADD is_archived boolean NOT NULL DEFAULT false,
        ADD repository_storage text NOT NULL DEFAULT 'default',
        ADD default_branch text NOT NULL DEFAULT 'main',
        ADD topics text[] NOT NULL DEFAULT '{}',
        ADD monitoring_access_level text NOT NULL DEFAULT 'enabled'
          CHECK (monitoring_access_level IN ('disabled', 'private', 'enabled')),
        ADD updated_at timestamptz NOT NULL DEFAULT now();
      -- One for each order of the list, led by what decides who sees a project: the first page is read off them.
      CREATE INDEX projects_visible ON projects (visibility, id);
      CREATE INDEX projects_visible_name ON projects (visibility, name, id);
      CREATE INDEX projects_visible_path ON projects (visibility, path, id);
      CREATE INDEX projects_visible_updated ON projects (visibility, updated_at, id);
      CREATE INDEX projects_visible_active ON projects (visibility, last_activity_at, id);
      CREATE INDEX projects_storage ON projects (repository_storage, id);
      CREATE INDEX projects_topics ON projects USING gin (topics);

      ALTER TABLE members
        ALTER project_id DROP NOT NULL,
        ADD group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        ADD created_by_id bigint REFERENCES users ON DELETE SET NULL,
        ADD expires_at date,
        ADD CONSTRAINT members_of_one CHECK (num_nonnulls(project_id, group_id) = 1);
      CREATE UNIQUE INDEX members_group ON members (group_id, user_id);

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
    `)

    this.addSql(`
      ALTER TABLE access_tokens
        ADD kind text NOT NULL DEFAULT 'personal' CHECK (kind IN ('personal', 'project', 'group', 'impersonation')),
        ADD description text,
        ADD project_id bigint REFERENCES projects ON DELETE CASCADE,
        ADD group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        ADD family_id bigint REFERENCES access_tokens ON DELETE SET NULL;
      CREATE INDEX access_tokens_project ON access_tokens (project_id);
      CREATE INDEX access_tokens_group ON access_tokens (group_id);
      CREATE INDEX access_tokens_family ON access_tokens (family_id);

      CREATE TABLE job_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        token_hash bytea NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX job_tokens_project ON job_tokens (project_id);
      CREATE INDEX job_tokens_user ON job_tokens (user_id);

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
        CONSTRAINT deploy_tokens_of_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE INDEX deploy_tokens_project ON deploy_tokens (project_id);
      CREATE INDEX deploy_tokens_group ON deploy_tokens (group_id);

      CREATE TABLE audit_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        author_id bigint,
        entity_type text NOT NULL CHECK (entity_type IN ('User', 'Group', 'Project', 'Instance')),
        entity_id bigint NOT NULL,
        details jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX audit_events_entity ON audit_events (entity_type, entity_id, id DESC);
      CREATE INDEX audit_events_created ON audit_events (created_at);
    `)

    this.addSql(searchIndexes)
  }
}
