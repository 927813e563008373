import type { Extra } from '#platform/extra.ts'
import { Role } from '#projects/members/member.ts'
import { deleteOrphanPackageFiles } from './change-packages.ts'
import { Package, PackageFile } from './package.ts'
import { packagePages } from './pages/pages.ts'
import { packages } from './routes.ts'

export const extra: Extra = {
  name: 'packages',
  entities: [Package, PackageFile],
  routes: packages,
  pages: packagePages,
  cleanups: [deleteOrphanPackageFiles],
  links: { code: [{ name: 'Packages', path: 'packages', role: Role.reporter }] }
}
