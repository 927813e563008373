import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { Project } from '#projects/project.ts'
import { type Package, PackageFile } from './package.ts'
import { packageFiles } from './publish-file.ts'

/** With its files, which are deleted as orphans, because they may be many. */
export async function deletePackage(em: EntityManager, project: Project, found: Package, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, found)
    recordAuditEvent(em, by, {
      name: 'package_registry_package_deleted',
      entity: project.audited(),
      details: { name: found.name, version: found.version }
    })
    em.remove(found)
  })
}

/** Deletes the row before the file, so that every row has its file. The package stays, even without files. */
export async function deleteFile(em: EntityManager, config: Config, file: PackageFile) {
  await em.transactional(async em => {
    await lockForChange(em, file)
    em.remove(file)
  })
  await packageFiles(config).remove(file.storedAs)
}

/** Deletes files without a row: their package was deleted, or a process ended before it stored the row. */
export async function deleteOrphanPackageFiles(em: EntityManager, config: Config, at: Date) {
  await packageFiles(config).deleteOrphans(at, async names => {
    const files = await em.fork().find(PackageFile, { storedAs: { $in: names } }, { fields: ['storedAs'] })

    return files.map(({ storedAs }) => storedAs)
  })
}
