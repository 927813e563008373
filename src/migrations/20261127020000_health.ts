import { Migration } from '@mikro-orm/migrations'

/** What the page on the health of the installation shows. */
export class Health extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE processes
        ADD slot integer,
        ADD version text NOT NULL DEFAULT '',
        ADD load jsonb NOT NULL DEFAULT '{}';
      CREATE UNIQUE INDEX processes_slot ON processes (role, slot);

      -- Updated every few seconds: half of each page is left for new versions of its rows.
      CREATE TABLE metric_totals (
        name text PRIMARY KEY,
        value double precision NOT NULL
      ) WITH (fillfactor = 50);

      CREATE TABLE health_samples (
        resolution integer NOT NULL,
        at timestamptz NOT NULL,
        values jsonb NOT NULL,
        PRIMARY KEY (resolution, at)
      );

      CREATE TABLE backups (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        finished_at timestamptz NOT NULL DEFAULT now(),
        bytes bigint NOT NULL
      );
    `)
  }
}
