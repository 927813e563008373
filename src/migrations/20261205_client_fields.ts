import { Migration } from '@mikro-orm/migrations'

/** Attributes that clients read first: access to issues, default branches of groups, last activity and sign-in addresses. */
export class ClientFields extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE projects ADD issues_access_level text NOT NULL DEFAULT 'enabled'
        CHECK (issues_access_level IN ('disabled', 'private', 'enabled'));
      ALTER TABLE namespaces ADD default_branch text;
      ALTER TABLE users ADD last_activity_on date, ADD current_sign_in_ip text, ADD last_sign_in_ip text;
    `)
  }
}
