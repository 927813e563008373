import { Migration } from '@mikro-orm/migrations'

/** Outcomes are counted by client key. Rows from before, and of items without a key, have the key 0. */
export class OutcomeKeys extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_keeps ADD key_id bigint NOT NULL DEFAULT 0, DROP CONSTRAINT error_keeps_pkey,
        ADD PRIMARY KEY (project_id, day, category, key_id);
      ALTER TABLE error_drops ADD key_id bigint NOT NULL DEFAULT 0, DROP CONSTRAINT error_drops_pkey,
        ADD PRIMARY KEY (project_id, day, category, reason, key_id);
      ALTER TABLE error_losses ADD key_id bigint NOT NULL DEFAULT 0, DROP CONSTRAINT error_losses_pkey,
        ADD PRIMARY KEY (project_id, day, category, reason, key_id);
    `)
  }
}
