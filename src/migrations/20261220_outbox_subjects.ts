import { Migration } from '@mikro-orm/migrations'

/** Dispatch asks whether a receiver was told of an alert that is resolved. */
export class OutboxSubjects extends Migration {
  override up() {
    this.addSql(`
      CREATE INDEX outbox_subject ON outbox (project_id, subject_id);
      DROP INDEX outbox_project;
    `)
  }
}
