import { Migration } from '@mikro-orm/migrations'

/**
 * What errors have (a level, environments, releases) lies in rows of its own, in order: all errors that had a release are
 * one short stretch of an index, and a new release is one row more for an error instead of all its words written again.
 * Words are left in the index of pieces, now with those of one and two characters. Errors that were merged have neither.
 */
export class ErrorTraits extends Migration {
  override up() {
    this.addSql(`
      DROP TRIGGER error_groups_made ON error_groups;
      DROP TRIGGER error_groups_changed ON error_groups;
      DROP FUNCTION keep_error_searchable();
      DROP INDEX error_searches_terms;
      DROP FUNCTION error_terms(bigint, text, text[], text[], text);

      ALTER TABLE error_searches DROP COLUMN level, DROP COLUMN environments, DROP COLUMN releases;
      DELETE FROM error_searches s USING error_groups g WHERE g.id = s.group_id AND g.merged_into IS NOT NULL;

      CREATE FUNCTION error_terms(project_id bigint, words text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
        SELECT array_agg(DISTINCT project_id || ' ' || left(piece, signs))
        FROM (SELECT DISTINCT substr(words, n, 3) FROM generate_series(1, length(words)) n) pieces (piece), generate_series(1, 3) signs
      );
      CREATE INDEX error_searches_terms ON error_searches USING gin (error_terms(project_id, words)) WITH (gin_pending_list_limit = 512);

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

      CREATE TABLE error_traits (
        project_id bigint NOT NULL,
        trait text NOT NULL,
        group_id bigint NOT NULL,
        PRIMARY KEY (project_id, trait, group_id)
      );

      CREATE FUNCTION error_traits_of(level text, environments text[], releases text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ARRAY(
        SELECT 'level ' || level UNION ALL
        SELECT 'environment ' || unnest(environments) UNION ALL
        SELECT 'release ' || unnest(releases)
      );

      CREATE FUNCTION keep_error_traits() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        had text[] := '{}';
        has text[] := '{}';
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.events > 0 AND OLD.merged_into IS NULL THEN
          had := error_traits_of(OLD.level, OLD.environments, OLD.releases);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.events > 0 AND NEW.merged_into IS NULL THEN
          has := error_traits_of(NEW.level, NEW.environments, NEW.releases);
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

      INSERT INTO error_traits
      SELECT DISTINCT project_id, unnest(error_traits_of(level, environments, releases)), id FROM error_groups
      WHERE events > 0 AND merged_into IS NULL;

      CREATE TRIGGER error_traits_made AFTER INSERT OR DELETE ON error_groups FOR EACH ROW EXECUTE FUNCTION keep_error_traits();
      CREATE TRIGGER error_traits_changed AFTER UPDATE ON error_groups FOR EACH ROW
        WHEN ((OLD.events > 0, OLD.level, OLD.environments, OLD.releases, OLD.merged_into)
          IS DISTINCT FROM (NEW.events > 0, NEW.level, NEW.environments, NEW.releases, NEW.merged_into))
        EXECUTE FUNCTION keep_error_traits();
    `)
  }
}
