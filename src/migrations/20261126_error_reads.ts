import { Migration } from '@mikro-orm/migrations'

/**
 * What lists of errors are searched by lies beside the groups: every batch makes new versions of its groups' rows, and each
 * of these would have to be put into the index again. Triggers write it, so that whoever changes a group need not think of it.
 *
 * Everything is one kind of term, and so in one index: what a group has (`12 release shop@1.0`), and each three characters of
 * its words (`12 ord`), which find any part of a word without an extension.
 */
export class ErrorReads extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE error_searches (
        group_id bigint PRIMARY KEY REFERENCES error_groups ON DELETE CASCADE,
        project_id bigint NOT NULL,
        level text NOT NULL,
        environments text[] NOT NULL,
        releases text[] NOT NULL,
        words text NOT NULL
      );

      CREATE FUNCTION error_terms(project_id bigint, level text, environments text[], releases text[], words text) RETURNS text[]
      LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
        SELECT array_agg(project_id || ' ' || term) FROM (
          SELECT 'level ' || level UNION ALL
          SELECT 'environment ' || unnest(environments) UNION ALL
          SELECT 'release ' || unnest(releases) UNION ALL
          SELECT substr(words, n, 3) FROM generate_series(1, length(words) - 2) n
        ) terms (term)
      );

      CREATE FUNCTION error_words(name text, description text, actor text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN lower(left(name, 250) || E'\\n' || left(description, 300) || E'\\n' || left(actor, 200));

      INSERT INTO error_searches
      SELECT id, project_id, level, environments, releases, error_words(name, description, actor) FROM error_groups;

      CREATE INDEX error_searches_terms ON error_searches USING gin (error_terms(project_id, level, environments, releases, words))
        WITH (gin_pending_list_limit = 512);

      CREATE FUNCTION keep_error_searchable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO error_searches
        VALUES (NEW.id, NEW.project_id, NEW.level, NEW.environments, NEW.releases, error_words(NEW.name, NEW.description, NEW.actor))
        ON CONFLICT (group_id) DO UPDATE
          SET level = EXCLUDED.level, environments = EXCLUDED.environments, releases = EXCLUDED.releases, words = EXCLUDED.words;
        RETURN NULL;
      END $$;

      -- A group is made before its first events are counted; one without any is not worth an entry.
      CREATE TRIGGER error_groups_made AFTER INSERT ON error_groups FOR EACH ROW
        WHEN (NEW.events > 0) EXECUTE FUNCTION keep_error_searchable();
      CREATE TRIGGER error_groups_changed AFTER UPDATE ON error_groups FOR EACH ROW
        WHEN (OLD.events = 0 OR (OLD.level, OLD.environments, OLD.releases, OLD.name, OLD.description, OLD.actor)
          IS DISTINCT FROM (NEW.level, NEW.environments, NEW.releases, NEW.name, NEW.description, NEW.actor))
        EXECUTE FUNCTION keep_error_searchable();

      CREATE INDEX error_groups_assignee ON error_groups (project_id, assignee_id) WHERE assignee_id IS NOT NULL;
    `)
  }
}
