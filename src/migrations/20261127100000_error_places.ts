import { Migration } from '@mikro-orm/migrations'

/** The files, functions and modules of an error's own code, by which it is found; they are part of its words, too. */
export class ErrorPlaces extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE error_places (
        project_id bigint NOT NULL,
        place text NOT NULL,
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        PRIMARY KEY (project_id, place, group_id)
      );
      CREATE INDEX error_places_group ON error_places (group_id);

      CREATE OR REPLACE FUNCTION keep_error_words() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.merged_into IS NOT NULL THEN
          DELETE FROM error_searches WHERE group_id = NEW.id;
        ELSE
          INSERT INTO error_searches (group_id, project_id, words)
          SELECT NEW.id, NEW.project_id, error_words(NEW.name, NEW.description, NEW.actor) || coalesce(
            (SELECT E'\\n' || string_agg(lower(substr(place, strpos(place, ' ') + 1)), E'\\n') FROM error_places WHERE group_id = NEW.id), '')
          ON CONFLICT (group_id) DO UPDATE SET words = EXCLUDED.words;
        END IF;
        RETURN NULL;
      END $$;
    `)
  }
}
