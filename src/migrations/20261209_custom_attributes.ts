import { Migration } from '@mikro-orm/migrations'

export class CustomAttributes extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE custom_attributes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint REFERENCES users ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        key text NOT NULL,
        value text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT custom_attributes_of_one CHECK (num_nonnulls(user_id, group_id, project_id) = 1)
      );
      CREATE UNIQUE INDEX custom_attributes_user ON custom_attributes (user_id, key);
      CREATE UNIQUE INDEX custom_attributes_group ON custom_attributes (group_id, key);
      CREATE UNIQUE INDEX custom_attributes_project ON custom_attributes (project_id, key);
      CREATE INDEX custom_attributes_value ON custom_attributes (key, md5(value));
    `)
  }
}
