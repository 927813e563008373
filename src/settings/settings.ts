import { type StaticDecode, Type } from 'typebox'
import { limitSettings } from './limit-settings.ts'
import { queueSettings } from './queue-settings.ts'
import {
  choice,
  directories,
  extras,
  flag,
  httpUrl,
  integer,
  issuerUrl,
  mailbox,
  matching,
  postgresUrl,
  proxies,
  redisUrl,
  secret,
  section,
  smtpUrl,
  text,
  weights
} from './setting-types.ts'

/**
 * Every environment variable, declared once. Types, validation, `--help` and docs/configuration.md
 * come from here; `npm run fix` writes the last.
 */
export const Settings = Type.Object({
  ...section('Web server', {
    PORT: integer(0, 65535, { default: 3000, description: 'Port of the web process; `0` takes any free port.' }),
    HOST: text({ default: '127.0.0.1', description: 'Address the web process listens on; `0.0.0.0` listens on all.' }),
    BASE_URL: httpUrl(
      'Public address, used in links and DSNs; when unset, that of **Admin → Settings → Address**, or one derived from `HOST` and `PORT`.'
    ),
    TRUST_PROXY: proxies(
      'Reverse proxies whose `X-Forwarded-For` is trusted: their number, such as `1`, or their networks, such as `10.0.0.0/8,fd00::/8`; none when unset.'
    ),
    WEB_ROLE: choice(['all', 'intake', 'api'], {
      default: 'all',
      description: 'What a web process serves: `intake` for errors and alerts, `api` for everything else, or `all`.'
    }),
    EXTRAS: extras({
      default: 'all',
      description: 'Extras to run: `all`, `none`, or names separated by commas. An extra that is off is not loaded; its tables are kept.'
    }),
    SERVICE_VERSION: matching(/^\d+\.\d+$/, 'a version such as 18.0', {
      default: '18.0',
      description: 'API version to behave as; decides which deprecated operations still work.'
    })
  }),

  ...section('Storage', {
    DATA_DIR: text({ default: '.data', description: 'Directory of the embedded database and of uploaded files.' }),
    DATABASE_URL: postgresUrl('Postgres 15 or newer; the embedded Postgres in `DATA_DIR` is used when unset.'),
    DATABASE_POOL: integer(2, 500, { default: 8, description: 'Maximum number of database connections per process for its own queries.' }),
    REPOSITORY_STORAGES: directories(
      'Directories for git repositories, by storage name: `default:/srv/git,second:/mnt/git`; one storage, `default`, in `DATA_DIR` when unset. All web and maintenance processes need the same directories.'
    ),
    REPOSITORY_STORAGE_WEIGHTS: weights(
      'How new repositories are distributed over the storages: `default:50,second:100`; a storage with weight 0 receives none, one without a weight has 100.'
    ),
    REDIS_URL: redisUrl(
      'Redis, Valkey or Dragonfly for the queues (`redis://` or `rediss://`; hosts separated by commas are a cluster); queues are in Postgres when unset.'
    ),
    NAMESPACE: matching(/^[a-z][a-z0-9_]{0,40}$/, 'lowercase letters, digits and _, starting with a letter, at most 41', {
      default: 'tocsin',
      description: 'Name of the Postgres schema and prefix of the queues, so that installations can share servers.'
    }),
    SECRET_KEY: secret(
      32,
      'Key that encrypts queued and failed jobs and stored credentials, such as the token of an external tracker; the same for all processes; needed together with `DATABASE_URL`, otherwise generated and kept in `DATA_DIR` when unset.'
    ),
    EVENT_RETENTION_DAYS: integer(1, 3650, { default: 90, description: 'Days for which error event payloads are kept.' })
  }),

  ...section('First admin', {
    ROOT_USERNAME: matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}$/, 'a user name', {
      default: 'root',
      description: 'User name of the first admin, created at the first start.'
    }),
    ROOT_PASSWORD: secret(
      8,
      'Password of the first admin, read at the first start only, not a common one; a one-time password is generated and printed when unset.'
    ),
    ROOT_TOKEN: secret(
      20,
      'Personal access token of the first admin, read at the first start only; one is generated and printed when unset.'
    )
  }),

  ...section('Security', {
    IMPERSONATION_ENABLED: flag({
      default: true,
      alias: 'impersonation_enabled',
      description: 'Set to `false` to keep admins from acting as other users, with impersonation tokens and in the pages.'
    }),
    SESSION_IDLE_MINUTES: integer(5, 20_160, {
      default: 10_080,
      description: 'Minutes without a request after which a browser must sign in again; after 14 days, it must in any case.'
    }),
    REFRESH_REUSE_SECONDS: integer(0, 60, {
      default: 0,
      description:
        'Seconds in which an OAuth client may use a refresh token a second time, for clients that refresh twice at once; `0` allows no reuse.'
    }),
    OAUTH_DYNAMIC_REGISTRATION: flag({
      default: false,
      description: 'Set to `true` to let OAuth applications such as coding agents register themselves (RFC 7591), as public applications.'
    }),
    OUTBOUND_PRIVATE_NETWORKS: flag({
      default: false,
      description: 'Set to `true` to allow requests that users configure, such as to an external tracker, to reach private networks.'
    })
  }),

  ...section('Sign-in with OpenID Connect', {
    OIDC_ISSUER: issuerUrl(
      'OpenID Connect provider with which people sign in, as its `issuer` such as `https://login.example.com/realms/team`; none when unset.'
    ),
    OIDC_CLIENT_ID: Type.Optional(text({ description: 'ID of the client registered there; needed together with `OIDC_ISSUER`.' })),
    OIDC_CLIENT_SECRET: secret(1, 'Secret of the client; needed together with `OIDC_ISSUER`.'),
    OIDC_NAME: matching(/^[^\s].{0,39}$/, 'a name of at most 40 characters', {
      default: 'single sign-on',
      description: 'Name of the provider on pages, as in “Continue with Keycloak”.'
    }),
    OIDC_SIGN_UP: flag({
      default: false,
      description:
        'Set to `true` to give everyone whom the provider signs in an account, even where sign-up is off or takes an invitation. Approval and allowed domains still apply.'
    }),
    OIDC_REQUIRED_GROUP: Type.Optional(
      text({ description: 'Group, in the claim `groups`, that people must be in to sign in through the provider; any when unset.' })
    )
  }),

  ...section('E-mail', {
    SMTP_URL: smtpUrl(
      'Outgoing mail server (`smtp://user:password@host:587`, or `smtps://` for implicit TLS); when unset, that of **Admin → Mail**.'
    ),
    MAIL_REPLY_TO: mailbox('Where replies to e-mail go, as an address or `Name <address>`; to the sender when unset.'),
    MAIL_FROM: mailbox(
      'Sender of e-mail, as an address or `Name <address>`; when unset, that of **Admin → Mail**, or `tocsin` at the host of the public address.'
    )
  }),

  ...section('Container registry', {
    REGISTRY_URL: httpUrl('Address of a container registry beside Tocsin, such as `https://registry.example.com`; no images when unset.'),
    REGISTRY_KEY_FILE: Type.Optional(
      text({ description: 'File with the private key (PEM) that signs tokens for the registry; needed together with `REGISTRY_URL`.' })
    ),
    REGISTRY_CERTIFICATE_FILE: Type.Optional(
      text({ description: 'File with the certificate (PEM) of that key. The registry uses the same one as its `rootcertbundle`.' })
    )
  }),

  ...section('Spam', {
    SPAM_RULES: flag({
      default: true,
      description: 'Set to `false` to turn off the spam rules for text from non-members: links, repeated text, new accounts.'
    }),
    SPAM_CHECK_URL: httpUrl(
      'Service with Akismet’s API that checks text from non-members, such as `https://rest.akismet.com/1.1`; none when unset.'
    ),
    SPAM_CHECK_KEY: secret(1, 'Key of the service; needed together with `SPAM_CHECK_URL`.'),
    RECAPTCHA_SITE_KEY: Type.Optional(
      text({
        description:
          'Site key of reCAPTCHA v2, with which users can resend text that was detected as spam; no CAPTCHA is offered when unset.'
      })
    ),
    RECAPTCHA_SECRET_KEY: secret(1, 'Secret key of reCAPTCHA v2; needed together with `RECAPTCHA_SITE_KEY`.'),
    RECAPTCHA_VERIFY_URL: httpUrl('Where solutions of reCAPTCHA are verified; at Google when unset.')
  }),

  ...section('Logs', {
    LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
      default: 'info',
      description: 'Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error` or `silent`.'
    }),
    LOG_FORMAT: choice(['auto', 'json', 'pretty'], {
      default: 'auto',
      description: '`json`, `pretty`, or `auto`: `pretty` on a terminal, unless `NODE_ENV` is `production`.'
    }),
    NODE_ENV: choice(['development', 'test', 'production'], {
      default: 'development',
      description: '`production` turns on JSON logs; `development` and `test` are the other values.'
    }),
    PROCESS_NAME: Type.Optional(
      text({ description: 'Name of the process in logs, metrics and the dashboard; host name and process id when unset.' })
    )
  }),

  ...queueSettings,

  ...limitSettings
})

export type Settings = StaticDecode<typeof Settings>
