import { Migration } from '@mikro-orm/migrations'

/** Error tracking: keys, groups, events, releases, source maps. */
export class Errors extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE client_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        public_key text NOT NULL UNIQUE,
        active boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT now(),
        name text,
        events_per_minute integer,
        updated_at timestamptz NOT NULL DEFAULT now(),
        allowed_origins text[] NOT NULL DEFAULT '{}'
      );
      CREATE INDEX client_keys_project ON client_keys (project_id);

      CREATE TABLE error_settings (
        project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        active boolean NOT NULL,
        integrated boolean NOT NULL,
        project_name text,
        tracker_external_url text,
        api_url text,
        events_per_minute integer,
        has_spike_protection boolean NOT NULL DEFAULT true,
        is_scrubbing boolean NOT NULL DEFAULT true,
        scrubbed_keys text[] NOT NULL DEFAULT '{}',
        safe_keys text[] NOT NULL DEFAULT '{}',
        keeps_ip_addresses boolean NOT NULL DEFAULT true,
        retention_days integer,
        tracker_token bytea,
        updated_at timestamptz NOT NULL DEFAULT now(),
        filters_browser_extensions boolean NOT NULL DEFAULT false,
        filters_web_crawlers boolean NOT NULL DEFAULT false,
        filters_localhost boolean NOT NULL DEFAULT false,
        filtered_releases text[] NOT NULL DEFAULT '{}',
        filtered_messages text[] NOT NULL DEFAULT '{}'
      );

      CREATE TABLE error_groups (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        description text NOT NULL,
        actor text NOT NULL,
        platform text,
        level text NOT NULL,
        status text NOT NULL DEFAULT 'unresolved' CHECK (status IN ('unresolved', 'resolved', 'ignored')),
        events bigint NOT NULL DEFAULT 0,
        first_seen_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        users bigint NOT NULL DEFAULT 0,
        first_release text,
        last_release text,
        environments text[] NOT NULL DEFAULT '{}',
        releases text[] NOT NULL DEFAULT '{}',
        assignee_id bigint REFERENCES users ON DELETE SET NULL,
        resolved_at timestamptz,
        resolved_in text,
        is_resolved_in_next boolean NOT NULL DEFAULT false,
        ignored_until timestamptz,
        ignored_until_events bigint,
        regressed_at timestamptz,
        regressed_by uuid,
        origin_envelope uuid,
        merged_into bigint REFERENCES error_groups ON DELETE CASCADE,
        updated_at timestamptz NOT NULL DEFAULT now(),
        is_message boolean NOT NULL DEFAULT false,
        ignored_until_users bigint,
        issue_id bigint
      ) WITH (fillfactor = 70);
      CREATE INDEX error_groups_last_seen ON error_groups (project_id, status, last_seen_at DESC, id DESC);
      CREATE INDEX error_groups_first_seen ON error_groups (project_id, status, first_seen_at DESC, id DESC);
      CREATE INDEX error_groups_events ON error_groups (project_id, status, events DESC, id DESC);
      CREATE INDEX error_groups_users ON error_groups (project_id, status, users DESC, id DESC);
      CREATE INDEX error_groups_merged ON error_groups (merged_into) WHERE merged_into IS NOT NULL;
      CREATE INDEX error_groups_messages ON error_groups (project_id, last_seen_at DESC) WHERE is_message;
      CREATE INDEX error_groups_issue ON error_groups (issue_id) WHERE issue_id IS NOT NULL;
      CREATE INDEX error_groups_assignee ON error_groups (project_id, assignee_id, status, last_seen_at DESC, id DESC) WHERE assignee_id IS NOT NULL;
      CREATE INDEX error_groups_regressed ON error_groups (project_id, status, last_seen_at DESC, id DESC) WHERE regressed_at IS NOT NULL;

      CREATE TABLE error_hashes (
        project_id bigint NOT NULL,
        hash bytea NOT NULL,
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        grouping_version smallint NOT NULL,
        PRIMARY KEY (project_id, hash)
      );
      CREATE INDEX error_hashes_group ON error_hashes (group_id);

      CREATE TABLE error_events (
        project_id bigint NOT NULL,
        group_id bigint NOT NULL,
        event_id uuid NOT NULL,
        day date NOT NULL,
        occurred_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        level text NOT NULL,
        environment text,
        release text,
        platform text,
        payload bytea NOT NULL,
        envelope_id uuid,
        hash bytea,
        user_hash bigint,
        tags text[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (project_id, event_id, day)
      ) PARTITION BY RANGE (day);
      ALTER TABLE error_events ALTER payload SET STORAGE EXTERNAL;
      CREATE INDEX error_events_group ON error_events (project_id, group_id, occurred_at DESC, event_id DESC);

      CREATE TABLE error_attachments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        envelope_id uuid NOT NULL,
        position integer NOT NULL,
        event_id uuid,
        filename text NOT NULL,
        content_type text,
        size integer NOT NULL,
        content bytea NOT NULL,
        received_at timestamptz NOT NULL,
        UNIQUE (project_id, envelope_id, position)
      );
      ALTER TABLE error_attachments ALTER content SET STORAGE EXTERNAL;
      CREATE INDEX error_attachments_event ON error_attachments (project_id, event_id);
      CREATE INDEX error_attachments_age ON error_attachments (received_at);
      CREATE INDEX error_attachments_project_age ON error_attachments (project_id, received_at);

      CREATE TABLE error_comments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        author_id bigint REFERENCES users ON DELETE SET NULL,
        body text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX error_comments_group ON error_comments (group_id, id);

      CREATE TABLE error_drop_marks (
        envelope_id uuid PRIMARY KEY,
        counted_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX error_drop_marks_age ON error_drop_marks (counted_at);

      CREATE TABLE error_dropped_counts (
        project_id bigint NOT NULL,
        day date NOT NULL,
        category text NOT NULL,
        reason text NOT NULL,
        items bigint NOT NULL,
        key_id bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, day, category, reason, key_id)
      );
      CREATE INDEX error_dropped_counts_age ON error_dropped_counts (day);

      CREATE TABLE error_failures (
        envelope_id uuid PRIMARY KEY,
        project_id bigint NOT NULL,
        day date NOT NULL
      );
      CREATE INDEX error_failures_age ON error_failures (day);
      CREATE INDEX error_failures_project ON error_failures (project_id);

      CREATE TABLE error_feedback (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        envelope_id uuid NOT NULL,
        position integer NOT NULL,
        event_id uuid,
        name text NOT NULL,
        email text NOT NULL,
        comments text NOT NULL,
        received_at timestamptz NOT NULL,
        UNIQUE (project_id, envelope_id, position)
      );
      CREATE INDEX error_feedback_project ON error_feedback (project_id, id DESC);
      CREATE INDEX error_feedback_event ON error_feedback (project_id, event_id);
      CREATE INDEX error_feedback_age ON error_feedback (received_at);
      CREATE INDEX error_feedback_project_age ON error_feedback (project_id, received_at);

      CREATE TABLE error_stored_counts (
        project_id bigint NOT NULL,
        day date NOT NULL,
        category text NOT NULL,
        items bigint NOT NULL,
        key_id bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, day, category, key_id)
      ) WITH (fillfactor = 70);
      CREATE INDEX error_stored_counts_age ON error_stored_counts (day);

      CREATE TABLE error_client_discards (
        project_id bigint NOT NULL,
        day date NOT NULL,
        category text NOT NULL,
        reason text NOT NULL,
        items bigint NOT NULL,
        key_id bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, day, category, reason, key_id)
      );
      CREATE INDEX error_client_discards_age ON error_client_discards (day);

      CREATE TABLE error_moves (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        from_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        to_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        hashes bytea[],
        total bigint,
        moved bigint NOT NULL DEFAULT 0,
        reached_at timestamptz,
        reached_id uuid,
        started_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX error_moves_from ON error_moves (from_id);
      CREATE INDEX error_moves_to ON error_moves (to_id);

      CREATE TABLE error_releases (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        version text NOT NULL,
        first_seen_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        released_at timestamptz,
        url text,
        is_archived boolean NOT NULL DEFAULT false,
        PRIMARY KEY (project_id, version)
      );
      CREATE INDEX error_releases_newest ON error_releases (project_id, first_seen_at DESC, version DESC);

      CREATE SEQUENCE error_deploy_ids;

      -- A deploy of a release of several projects has one id and a row per project.
      CREATE TABLE error_deploys (
        project_id bigint NOT NULL,
        version text NOT NULL,
        id bigint NOT NULL,
        environment text NOT NULL,
        name text,
        url text,
        started_at timestamptz,
        finished_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, version, id),
        FOREIGN KEY (project_id, version) REFERENCES error_releases(project_id, version) ON DELETE CASCADE
      );
      CREATE INDEX error_deploys_newest ON error_deploys (project_id, version, finished_at DESC, id DESC);

      CREATE TABLE error_samples (
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        minute timestamptz NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (group_id, minute)
      );
      CREATE INDEX error_samples_minute ON error_samples (minute);

      CREATE FUNCTION error_terms(project_id bigint, words text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
        SELECT array_agg(DISTINCT project_id || ' ' || left(piece, signs))
        FROM (SELECT DISTINCT substr(words, n, 3) FROM generate_series(1, length(words)) n) pieces (piece), generate_series(1, 3) signs
      );

      CREATE TABLE error_searches (
        group_id bigint PRIMARY KEY REFERENCES error_groups ON DELETE CASCADE,
        project_id bigint NOT NULL,
        words text NOT NULL
      );
      CREATE INDEX error_searches_terms ON error_searches USING gin (error_terms(project_id, words)) WITH (gin_pending_list_limit = 512);

      CREATE FUNCTION error_words(name text, description text, actor text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN lower(left(name, 250) || E'\\n' || left(description, 300) || E'\\n' || left(actor, 200));

      CREATE FUNCTION keep_error_words() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.merged_into IS NOT NULL THEN
          DELETE FROM error_searches WHERE group_id = NEW.id;
        ELSE
          INSERT INTO error_searches (group_id, project_id, words)
          VALUES (NEW.id, NEW.project_id, error_words(NEW.name, NEW.description, NEW.actor))
          ON CONFLICT (group_id) DO UPDATE SET words = EXCLUDED.words;
        END IF;
        RETURN NULL;
      END $$;

      -- A group is made before its first events are counted; one without any is not worth an entry.
      CREATE TRIGGER error_words_made AFTER INSERT ON error_groups FOR EACH ROW
        WHEN (NEW.events > 0) EXECUTE FUNCTION keep_error_words();
      CREATE TRIGGER error_words_changed AFTER UPDATE ON error_groups FOR EACH ROW
        WHEN (OLD.events = 0 OR (OLD.name, OLD.description, OLD.actor, OLD.merged_into)
          IS DISTINCT FROM (NEW.name, NEW.description, NEW.actor, NEW.merged_into))
        EXECUTE FUNCTION keep_error_words();

      CREATE TABLE error_searches_saved (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        -- Null for a search that all developers of the project see.
        user_id bigint REFERENCES users ON DELETE CASCADE,
        name text NOT NULL,
        query text NOT NULL,
        sort text NOT NULL,
        created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
        updated_at timestamp(3) with time zone NOT NULL DEFAULT now()
      );
      CREATE INDEX error_searches_saved_project ON error_searches_saved (project_id, user_id);
      CREATE INDEX error_searches_saved_user ON error_searches_saved (user_id);
      CREATE UNIQUE INDEX error_searches_saved_name ON error_searches_saved (project_id, coalesce(user_id, 0), name);

      CREATE TABLE error_session_states (
        project_id bigint NOT NULL,
        session_id text NOT NULL,
        state text NOT NULL,
        is_errored boolean NOT NULL,
        seq bigint NOT NULL,
        started_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, session_id)
      ) WITH (fillfactor = 80);
      CREATE INDEX error_session_states_age ON error_session_states (started_at);

      CREATE TABLE error_session_users (
        project_id bigint NOT NULL,
        day date NOT NULL,
        release text NOT NULL,
        environment text NOT NULL,
        user_hash bigint NOT NULL,
        is_crashed boolean NOT NULL,
        PRIMARY KEY (project_id, release, day, environment, user_hash)
      );
      CREATE INDEX error_session_users_age ON error_session_users (day);

      CREATE TABLE error_sessions (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        hour timestamptz NOT NULL,
        release text NOT NULL,
        environment text NOT NULL,
        started bigint NOT NULL DEFAULT 0,
        exited bigint NOT NULL DEFAULT 0,
        errored bigint NOT NULL DEFAULT 0,
        crashed bigint NOT NULL DEFAULT 0,
        abnormal bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, hour, release, environment)
      ) WITH (fillfactor = 70);
      CREATE INDEX error_sessions_release ON error_sessions (project_id, release, hour);
      CREATE INDEX error_sessions_age ON error_sessions (hour);

      -- Tags of the events of a group, to search by.
      CREATE TABLE error_tags (
        project_id bigint NOT NULL,
        tag text NOT NULL,
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        seen_on date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
        PRIMARY KEY (project_id, tag, group_id)
      );
      CREATE INDEX error_tags_group ON error_tags (group_id);
      CREATE INDEX error_tags_seen ON error_tags (seen_on);

      CREATE TABLE error_hourly_counts (
        project_id bigint NOT NULL,
        group_id bigint NOT NULL,
        hour timestamptz NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (project_id, group_id, hour)
      ) WITH (fillfactor = 70);
      CREATE INDEX error_hourly_counts_hour ON error_hourly_counts (hour, project_id);

      CREATE TABLE error_traits (
        project_id bigint NOT NULL,
        trait text NOT NULL,
        group_id bigint NOT NULL,
        PRIMARY KEY (project_id, trait, group_id)
      );

      CREATE FUNCTION error_traits_of(error_groups) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ARRAY(
        SELECT 'level ' || ($1).level UNION ALL
        SELECT 'environment ' || unnest(($1).environments) UNION ALL
        SELECT 'release ' || unnest(($1).releases) UNION ALL
        SELECT 'first-release ' || ($1).first_release WHERE ($1).first_release IS NOT NULL
      );

      CREATE FUNCTION keep_error_traits() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        had text[] := '{}';
        has text[] := '{}';
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.events > 0 AND OLD.merged_into IS NULL THEN
          had := error_traits_of(OLD);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.events > 0 AND NEW.merged_into IS NULL THEN
          has := error_traits_of(NEW);
        END IF;
        IF NOT had <@ has THEN
          DELETE FROM error_traits
          WHERE project_id = OLD.project_id AND trait = ANY (had) AND trait <> ALL (has) AND group_id = OLD.id;
        END IF;
        IF NOT has <@ had THEN
          INSERT INTO error_traits
          SELECT NEW.project_id, trait, NEW.id FROM unnest(has) trait WHERE trait <> ALL (had)
          ON CONFLICT DO NOTHING;
        END IF;
        RETURN NULL;
      END $$;

      CREATE TRIGGER error_traits_made AFTER INSERT OR DELETE ON error_groups FOR EACH ROW EXECUTE FUNCTION keep_error_traits();
      CREATE TRIGGER error_traits_changed AFTER UPDATE ON error_groups FOR EACH ROW
        WHEN ((OLD.events > 0, OLD.level, OLD.environments, OLD.releases, OLD.first_release, OLD.merged_into)
          IS DISTINCT FROM (NEW.events > 0, NEW.level, NEW.environments, NEW.releases, NEW.first_release, NEW.merged_into))
        EXECUTE FUNCTION keep_error_traits();

      CREATE TABLE error_usage (
        subject text NOT NULL,
        minute bigint NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (subject, minute)
      );

      CREATE TABLE error_user_days (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        day date NOT NULL,
        release text NOT NULL,
        environment text NOT NULL,
        users bigint NOT NULL,
        crashed bigint NOT NULL,
        PRIMARY KEY (project_id, release, day, environment)
      ) WITH (fillfactor = 70);
      CREATE INDEX error_user_days_age ON error_user_days (day);

      CREATE TABLE error_users (
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        user_hash bigint NOT NULL,
        PRIMARY KEY (group_id, user_hash)
      );

      CREATE TABLE artifact_bundles (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id bigint REFERENCES users ON DELETE SET NULL,
        checksum text NOT NULL,
        release text NOT NULL,
        dist text NOT NULL,
        chunks text[] NOT NULL,
        state text NOT NULL DEFAULT 'created',
        detail text,
        bytes bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        used_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, checksum, release, dist)
      );
      CREATE INDEX artifact_bundles_age ON artifact_bundles (used_at);
      CREATE INDEX artifact_bundles_pending ON artifact_bundles (user_id) WHERE state IN ('created', 'assembling');

      CREATE TABLE artifact_chunks (
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        checksum text NOT NULL,
        size integer NOT NULL,
        content bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, checksum)
      );
      ALTER TABLE artifact_chunks ALTER content SET STORAGE EXTERNAL;
      CREATE INDEX artifact_chunks_age ON artifact_chunks (created_at);

      CREATE TABLE source_maps (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        bundle_id bigint NOT NULL REFERENCES artifact_bundles ON DELETE CASCADE,
        project_id bigint NOT NULL,
        debug_id uuid,
        url text NOT NULL,
        map bytea NOT NULL,
        script bytea
      );
      ALTER TABLE source_maps ALTER map SET STORAGE EXTERNAL;
      ALTER TABLE source_maps ALTER script SET STORAGE EXTERNAL;
      CREATE INDEX source_maps_bundle ON source_maps (bundle_id);
      CREATE INDEX source_maps_debug_id ON source_maps (project_id, debug_id) WHERE debug_id IS NOT NULL;
      CREATE INDEX source_maps_url ON source_maps (project_id, url);
    `)
  }
}
