import { defineEntity, p } from '@mikro-orm/core'
import type { Config } from '../../config.ts'
import { decrypt, encrypt } from '../../platform/database/encryption.ts'
import { updatedAt } from '../../platform/database/updated-at.ts'
import type { IntegrationEvents } from './integration-types.ts'

export type Values = Record<string, string | boolean>

const ProjectIntegrationSchema = defineEntity({
  name: 'ProjectIntegration',
  tableName: 'project_integrations',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    slug: p.text(),
    active: p.boolean().default(false),
    properties: p
      .json()
      .$type<Values>()
      .onCreate(() => ({})),
    /** Encrypted JSON. */
    secrets: p.blob().$type<Buffer>().nullable(),
    /** Only values that differ from the default. */
    events: p
      .json()
      .$type<Partial<IntegrationEvents>>()
      .onCreate(() => ({})),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** The settings of another program that a project is connected with, such as Slack. */
export class ProjectIntegration extends ProjectIntegrationSchema.class {
  disable() {
    const wasActive = this.active

    Object.assign(this, { active: false, properties: {}, secrets: null, events: {} })

    return wasActive
  }
}

ProjectIntegrationSchema.setClass(ProjectIntegration)

type Owner = Pick<ProjectIntegration, 'projectId' | 'slug'>

export function sealSecrets(config: Config, secrets: Values, integration: Owner) {
  return encrypt(config, JSON.stringify(secrets), ownerOf(integration))
}

/** Empty when there are none, or when they were encrypted with another key. */
export async function openSecrets(config: Parameters<typeof decrypt>[0], integration: ProjectIntegration): Promise<Values> {
  const text = integration.secrets && (await decrypt(config, integration.secrets, ownerOf(integration)))

  return text ? JSON.parse(text) : {}
}

function ownerOf({ projectId, slug }: Owner) {
  return `integration ${slug} of project ${projectId}`
}
