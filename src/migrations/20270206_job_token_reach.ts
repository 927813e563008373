import { Migration } from '@mikro-orm/migrations'

/** A project may keep the tokens of its own jobs from reaching other projects. */
export class JobTokenReach extends Migration {
  override up() {
    this.addSql('ALTER TABLE projects ADD limits_job_token_reach boolean NOT NULL DEFAULT false')
  }
}
