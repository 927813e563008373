import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

/** Who can create an account. Each includes the one before it. */
export const signUpModes = ['off', 'invited', 'domains', 'approval'] as const

type Visibility = 'private' | 'internal' | 'public'

export const InstanceSettingSchema = defineEntity({
  name: 'InstanceSetting',
  tableName: 'instance_settings',
  properties: {
    /** Always 1. */
    id: p.smallint().primary(),
    /** For new users. */
    defaultProjectsLimit: p.integer(),
    /** For new users. */
    canCreateGroup: p.boolean(),
    defaultProjectVisibility: p.text().$type<Visibility>(),
    defaultGroupVisibility: p.text().$type<Visibility>(),
    /** Default branch of new projects in groups without one; empty for `main`. */
    defaultBranchName: p.text(),
    /** Days between a deletion and its execution; 0 deletes at once. */
    deletionAdjournedPeriod: p.integer(),
    signUp: p.text().$type<(typeof signUpModes)[number]>(),
    /** Domains whose addresses can sign up, in lower case; empty for all. */
    domainAllowlist: p.array<string>().columnType('text[]'),
    /** What everyone sees on every page; empty for nothing. */
    announcement: p.text(),
    announcementEndsAt: p.datetime(3).nullable(),
    /** The public address; empty for that of the process. BASE_URL wins. */
    baseUrl: p.text(),
    updatedAt: updatedAt()
  }
})

/** Settings of the installation, which admins change. */
export class InstanceSetting extends InstanceSettingSchema.class {}

InstanceSettingSchema.setClass(InstanceSetting)

const initial = {
  id: 1,
  defaultProjectsLimit: 100_000,
  canCreateGroup: true,
  defaultProjectVisibility: 'private' as const,
  defaultGroupVisibility: 'private' as const,
  defaultBranchName: '',
  deletionAdjournedPeriod: 0,
  signUp: 'invited' as const,
  domainAllowlist: [],
  announcement: '',
  announcementEndsAt: null,
  baseUrl: ''
}

export type InstanceDefaults = Pick<InstanceSetting, Exclude<keyof typeof initial, 'id'>>

export async function readInstanceSettings(em: EntityManager): Promise<InstanceDefaults> {
  return (await em.findOne(InstanceSetting, { id: 1 })) ?? initial
}

/** The one row, which the first change creates. Within a transaction. */
export async function getInstanceSetting(em: EntityManager) {
  await em.upsert(InstanceSetting, { ...initial, updatedAt: new Date(0) }, { onConflictAction: 'ignore' })

  return em.findOneOrFail(InstanceSetting, { id: 1 })
}
