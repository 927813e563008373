import { Migration } from '@mikro-orm/migrations'

/** The users of sessions, for the share of users without crashes. Users are hashes; they are deleted after days, their counts stay. */
export class SessionUsers extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE error_session_users (
        project_id bigint NOT NULL,
        day date NOT NULL,
        release text NOT NULL,
        environment text NOT NULL,
        user_hash bigint NOT NULL,
        is_crashed boolean NOT NULL,
        PRIMARY KEY (project_id, release, day, environment, user_hash)
      );
      CREATE INDEX error_session_users_age ON error_session_users (day);

      CREATE TABLE error_user_days (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        day date NOT NULL,
        release text NOT NULL,
        environment text NOT NULL,
        users bigint NOT NULL,
        crashed bigint NOT NULL,
        PRIMARY KEY (project_id, release, day, environment)
      ) WITH (fillfactor = 70);
      CREATE INDEX error_user_days_age ON error_user_days (day);
    `)
  }
}
