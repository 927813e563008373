import { Migration } from '@mikro-orm/migrations'

/** Variables that CI jobs leave to later ones. */
export class DotenvReports extends Migration {
  override up() {
    this.addSql('ALTER TABLE ci_jobs ADD reported_variables bytea')
  }
}
