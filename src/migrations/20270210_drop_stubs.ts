import { Migration } from '@mikro-orm/migrations'

/** Tables of features that were removed before 0.1.0. */
export class DropStubs extends Migration {
  override up() {
    this.addSql(`
      CREATE OR REPLACE VIEW notified_projects AS
        SELECT r.project_id
        FROM (
          SELECT project_id FROM notification_rules WHERE is_active
          UNION ALL
          SELECT project_id FROM alert_settings WHERE sends_email
        ) r
        JOIN projects p ON p.id = r.project_id AND p.read_only_reason IS NULL;
      DROP TABLE award_emoji, badges, custom_attributes, form_drafts, gpg_keys, pages_domains, pages_settings, project_integrations,
        project_uploads, ssh_keys, user_identities, user_statuses;
      ALTER TABLE repositories DROP COLUMN commit_count;
    `)
  }
}
