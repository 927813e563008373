import { Migration } from '@mikro-orm/migrations'

/** Defaults that admins change; the one row exists once one was changed. */
export class InstanceSettings extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE instance_settings (
        id smallint PRIMARY KEY CHECK (id = 1),
        default_projects_limit integer NOT NULL CHECK (default_projects_limit >= 0),
        can_create_group boolean NOT NULL,
        default_project_visibility text NOT NULL CHECK (default_project_visibility IN ('private', 'internal', 'public')),
        default_group_visibility text NOT NULL CHECK (default_group_visibility IN ('private', 'internal', 'public')),
        default_branch_name text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      );
    `)
  }
}
