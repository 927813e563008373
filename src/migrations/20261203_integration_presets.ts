import { Migration } from '@mikro-orm/migrations'

/** The name of the preset whose mapping an integration uses. */
export class IntegrationPresets extends Migration {
  override up() {
    this.addSql('ALTER TABLE alert_integrations ADD preset text')
  }
}
