import { Migration } from '@mikro-orm/migrations'

/** Status updates of incidents: comments that say how far an incident is. */
export class IncidentStatuses extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE issue_notes ADD incident_status text;
      CREATE INDEX issue_notes_incident_status ON issue_notes (issue_id, id) WHERE incident_status IS NOT NULL;
    `)
  }
}
