import { Migration } from '@mikro-orm/migrations'

/** Jobs that were taken back from workers that no longer responded: a worker that was ended cannot report it. */
export class WorkerStalls extends Migration {
  override up() {
    this.addSql(`CREATE TABLE worker_stalls (
      queue text PRIMARY KEY,
      stalls bigint NOT NULL,
      last_job text NOT NULL,
      last_at timestamptz NOT NULL
    )`)
  }
}
