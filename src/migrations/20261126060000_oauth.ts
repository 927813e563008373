import { Migration } from '@mikro-orm/migrations'

/** The OAuth 2.0 and OpenID Connect provider. */
export class Oauth extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE oauth_applications (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uid text NOT NULL UNIQUE,
        secret_hash bytea,
        name text NOT NULL,
        redirect_uris text[] NOT NULL,
        scopes text[] NOT NULL,
        is_confidential boolean NOT NULL,
        is_dynamic boolean NOT NULL DEFAULT false,
        -- Not SET NULL: an application without an owner is trusted.
        owner_id bigint REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX oauth_applications_owner ON oauth_applications (owner_id);

      CREATE TABLE oauth_consents (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        application_id bigint NOT NULL REFERENCES oauth_applications ON DELETE CASCADE,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (user_id, application_id)
      );
      CREATE INDEX oauth_consents_application ON oauth_consents (application_id);

      CREATE TABLE oauth_grants (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        application_id bigint REFERENCES oauth_applications ON DELETE CASCADE,
        user_id bigint REFERENCES users ON DELETE CASCADE,
        type text NOT NULL,
        scopes text[] NOT NULL,
        redirect_uri text,
        auth_time timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
      );
      CREATE INDEX oauth_grants_application ON oauth_grants (application_id);
      CREATE INDEX oauth_grants_user ON oauth_grants (user_id);

      CREATE TABLE oauth_codes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        code_hash bytea NOT NULL UNIQUE,
        application_id bigint NOT NULL REFERENCES oauth_applications ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        grant_id bigint REFERENCES oauth_grants ON DELETE CASCADE,
        redirect_uri text NOT NULL,
        scopes text[] NOT NULL,
        code_challenge text,
        nonce text,
        auth_time timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz
      );
      CREATE INDEX oauth_codes_application ON oauth_codes (application_id);
      CREATE INDEX oauth_codes_user ON oauth_codes (user_id);
      CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);

      CREATE TABLE oauth_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        grant_id bigint NOT NULL REFERENCES oauth_grants ON DELETE CASCADE,
        access_hash bytea NOT NULL UNIQUE,
        refresh_hash bytea UNIQUE,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        refresh_used_at timestamptz,
        refresh_reused_at timestamptz
      );
      CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id);
      CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at);

      CREATE TABLE oauth_signing_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kid text NOT NULL UNIQUE,
        private_key bytea NOT NULL,
        public_jwk jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        retires_at timestamptz
      );
    `)
  }
}
