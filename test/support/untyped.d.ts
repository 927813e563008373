/** Clients in tests that have no types. */
declare module 'express'
declare module 'passport'
declare module 'passport-gitlab2'
declare module 'simple-oauth2'
declare module 'oidc-provider'
declare module 'oidc-provider/lib/adapters/memory_adapter.js'
