import { Migration } from '@mikro-orm/migrations'

/** The day by which an issue should be closed. */
export class IssueDueDates extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE issues ADD COLUMN due_date date;
      CREATE INDEX issues_due ON issues (due_date) WHERE due_date IS NOT NULL AND state = 'opened';
    `)
  }
}
