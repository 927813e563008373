import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'

export const packageStatuses = ['default', 'hidden'] as const

export type PackageStatus = (typeof packageStatuses)[number]

export const PackageSchema = defineEntity({
  name: 'Package',
  tableName: 'packages',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    type: p.text().$type<'generic'>(),
    name: p.text(),
    version: p.text(),
    /** Lists leave out hidden ones. Their files can be downloaded. */
    status: p.text().$type<PackageStatus>(),
    creator: () => p.manyToOne(User).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    lastDownloadedAt: p.datetime(3).nullable()
  }
})

/** One version of what a project publishes. */
export class Package extends PackageSchema.class {}

PackageSchema.setClass(Package)

export const PackageFileSchema = defineEntity({
  name: 'PackageFile',
  tableName: 'package_files',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    packageId: p.bigint('number'),
    projectId: p.bigint('number'),
    pipelineId: p.bigint('number').nullable(),
    /** With the folders that the publisher gave it. Of files with the same name, the latest counts. */
    name: p.text(),
    size: p.bigint('number'),
    sha256: p.blob(),
    storedAs: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

export class PackageFile extends PackageFileSchema.class {}

PackageFileSchema.setClass(PackageFile)
