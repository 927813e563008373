import { Migration } from '@mikro-orm/migrations'

/** Audit events are found by author, by name and by what they concern, also when the author or that was deleted. */
export class AuditSearch extends Migration {
  override up() {
    this.addSql(`
      CREATE INDEX audit_events_author ON audit_events ((details ->> 'author_username'), id DESC);
      CREATE INDEX audit_events_name ON audit_events (name, id DESC);
      CREATE INDEX audit_events_path ON audit_events ((details ->> 'entity_path'), id DESC);
    `)
  }
}
