import { Migration } from '@mikro-orm/migrations'

/** One user stands for all deleted authors. */
export class GhostUser extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE users DROP CONSTRAINT users_kind_check,
        ADD CONSTRAINT users_kind_check CHECK (kind IN ('human', 'project_bot', 'group_bot', 'ghost'));
      CREATE UNIQUE INDEX users_ghost ON users (kind) WHERE kind = 'ghost';
    `)
  }
}
