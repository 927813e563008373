import type {} from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The least role with which a route answers; said in its documentation. */
    role?: 'anyone' | 'user' | 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner' | 'admin'
  }
}
