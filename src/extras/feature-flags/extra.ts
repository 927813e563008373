import type { Extra } from '#platform/extra.ts'
import { FeatureFlag } from './feature-flag.ts'
import { featureFlagRoutes } from './feature-flag-routes.ts'

export const extra: Extra = { name: 'feature-flags', entities: [FeatureFlag], routes: featureFlagRoutes }
