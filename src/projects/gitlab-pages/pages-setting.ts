import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '../../platform/database/updated-at.ts'

const PagesSettingSchema = defineEntity({
  name: 'PagesSetting',
  tableName: 'pages_settings',
  properties: {
    projectId: p.bigint('number').primary(),
    isUniqueDomainEnabled: p.boolean().default(true),
    isHttpsOnly: p.boolean().default(false),
    /** One of the project's domains. */
    primaryDomain: p.text().nullable(),
    updatedAt: updatedAt()
  }
})

/** The settings of a project's static site. Projects without a row have the defaults. */
export class PagesSetting extends PagesSettingSchema.class {}

PagesSettingSchema.setClass(PagesSetting)
