import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

/** For whom a flag is on, in some environments. */
export interface Strategy {
  id: number
  name: string
  parameters: Record<string, string>
  scopes: Scope[]
}

/** The environments whose name matches, such as `*` or `review/*`. */
export interface Scope {
  id: number
  environment: string
}

export const FeatureFlagSchema = defineEntity({
  name: 'FeatureFlag',
  tableName: 'feature_flags',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    name: p.text(),
    description: p.text().nullable(),
    isActive: p.boolean().default(true),
    strategies: p.json().$type<Strategy[]>().default([]),
    /** The last number given to a strategy or a scope. */
    lastPartId: p.integer().default(0),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A part of a program that is switched on and off while it runs. */
export class FeatureFlag extends FeatureFlagSchema.class {}

FeatureFlagSchema.setClass(FeatureFlag)
