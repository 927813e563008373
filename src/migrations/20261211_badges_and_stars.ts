import { Migration } from '@mikro-orm/migrations'

/** Avatars and badges of projects and groups, and stars of projects. */
export class BadgesAndStars extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE projects ADD avatar text;
      ALTER TABLE namespaces ADD avatar text;

      CREATE TABLE badges (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        name text,
        link_url text NOT NULL,
        image_url text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT badges_of_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE INDEX badges_project ON badges (project_id);
      CREATE INDEX badges_group ON badges (group_id);

      CREATE TABLE project_stars (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, user_id)
      );
      CREATE INDEX project_stars_user ON project_stars (user_id);
    `)
  }
}
