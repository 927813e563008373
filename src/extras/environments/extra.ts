import type { Extra } from '#platform/extra.ts'
import { Environment } from './environment.ts'
import { environmentRoutes } from './environment-routes.ts'
import { startEnvironment } from './found-environments.ts'

export const extra: Extra = { name: 'environments', entities: [Environment], routes: environmentRoutes, onDeploy: startEnvironment }
