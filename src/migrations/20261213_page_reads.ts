import { Migration } from '@mikro-orm/migrations'

/**
 * Errors that are assigned to a user, and those that came back, are read in the order of lists. The release in which an
 * error was first seen is a trait, so that the new errors of a release are counted without reading the errors.
 */
export class PageReads extends Migration {
  override up() {
    this.addSql(`
      DROP INDEX error_groups_assignee;
      CREATE INDEX error_groups_assignee ON error_groups (project_id, assignee_id, status, last_seen_at DESC, id DESC)
        WHERE assignee_id IS NOT NULL;
      DROP INDEX error_groups_regressed;
      CREATE INDEX error_groups_regressed ON error_groups (project_id, status, last_seen_at DESC, id DESC) WHERE regressed_at IS NOT NULL;

      DROP TRIGGER error_traits_made ON error_groups;
      DROP TRIGGER error_traits_changed ON error_groups;

      CREATE FUNCTION error_traits_of(error_groups) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ARRAY(
        SELECT 'level ' || ($1).level UNION ALL
        SELECT 'environment ' || unnest(($1).environments) UNION ALL
        SELECT 'release ' || unnest(($1).releases) UNION ALL
        SELECT 'first-release ' || ($1).first_release WHERE ($1).first_release IS NOT NULL
      );

      CREATE OR REPLACE FUNCTION keep_error_traits() RETURNS trigger LANGUAGE plpgsql AS $$
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

      INSERT INTO error_traits
      SELECT project_id, 'first-release ' || first_release, id FROM error_groups
      WHERE events > 0 AND merged_into IS NULL AND first_release IS NOT NULL
      ON CONFLICT DO NOTHING;

      CREATE TRIGGER error_traits_made AFTER INSERT OR DELETE ON error_groups FOR EACH ROW EXECUTE FUNCTION keep_error_traits();
      CREATE TRIGGER error_traits_changed AFTER UPDATE ON error_groups FOR EACH ROW
        WHEN ((OLD.events > 0, OLD.level, OLD.environments, OLD.releases, OLD.first_release, OLD.merged_into)
          IS DISTINCT FROM (NEW.events > 0, NEW.level, NEW.environments, NEW.releases, NEW.first_release, NEW.merged_into))
        EXECUTE FUNCTION keep_error_traits();

      DROP FUNCTION error_traits_of(text, text[], text[]);
    `)
  }
}
