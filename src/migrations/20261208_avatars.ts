import { Migration } from '@mikro-orm/migrations'

export class Avatars extends Migration {
  override up() {
    this.addSql('ALTER TABLE users ADD avatar text')
  }
}
