import type { Extra } from './platform/extra.ts'
import type { ExtraName } from './settings/extra-names.ts'

/** Loaded on demand: an extra that is off costs nothing. */
const extras: Record<ExtraName, () => Promise<{ extra: Extra }>> = {
  ci: () => import('./extras/ci/extra.ts'),
  'feature-flags': () => import('./extras/feature-flags/extra.ts'),
  packages: () => import('./extras/packages/extra.ts'),
  registry: () => import('./extras/registry/extra.ts')
}

export async function loadExtras(names: ExtraName[]) {
  const loaded = await Promise.all(names.map(name => extras[name]()))

  return loaded.map(({ extra }) => extra)
}
