import type { Extra } from './platform/extra.ts'
import type { ExtraName } from './settings/extras.ts'

/** Loaded on demand: an extra that is off costs nothing. */
const extras: Record<ExtraName, () => Promise<{ extra: Extra }>> = {
  ci: () => import('./extras/ci/extra.ts'),
  environments: () => import('./extras/environments/extra.ts'),
  'feature-flags': () => import('./extras/feature-flags/extra.ts'),
  packages: () => import('./extras/packages/extra.ts'),
  planning: () => import('./extras/planning/extra.ts'),
  registry: () => import('./extras/registry/extra.ts'),
  snippets: () => import('./extras/snippets/extra.ts'),
  'source-code': () => import('./extras/source-code/extra.ts'),
  webhooks: () => import('./extras/webhooks/extra.ts')
}

export async function loadExtras(names: ExtraName[]) {
  const loaded = await Promise.all(names.map(name => extras[name]()))

  return loaded.map(({ extra }) => extra)
}
