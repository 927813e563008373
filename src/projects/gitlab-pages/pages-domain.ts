import { randomBytes } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '../../platform/database/updated-at.ts'

const PagesDomainSchema = defineEntity({
  name: 'PagesDomain',
  tableName: 'pages_domains',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    /** In lower case. */
    domain: p.text(),
    verificationCode: p.text().onCreate(() => randomBytes(16).toString('hex')),
    isAutoSsl: p.boolean().default(false),
    /** In PEM. Its private key is not stored: nothing is served with it. */
    certificate: p.text().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A domain of a project's static site. */
export class PagesDomain extends PagesDomainSchema.class {}

PagesDomainSchema.setClass(PagesDomain)
