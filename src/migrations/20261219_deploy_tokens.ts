import { Migration } from '@mikro-orm/migrations'

/** Deploy tokens are changed conditionally, as other tokens are. */
export class DeployTokens extends Migration {
  override up() {
    this.addSql('ALTER TABLE deploy_tokens ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now()')
  }
}
