import { ValidationFailed } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { changeRow, getRow, type ProjectAdmin } from '../resources/project-resource.ts'
import { channels } from './channel-resource.ts'
import { newSigningSecret } from './kinds/webhook.ts'

/** Returns the new secret. The old one signs nothing from now on. */
export async function rotateSigningSecret(em: EntityManager, admin: ProjectAdmin, id: number, at: Date) {
  const { kind } = await getRow(em, channels, admin.project.id, id)

  if (kind !== 'webhook') throw new ValidationFailed({ kind: ['only webhooks have a signing secret'] })
  const secret = newSigningSecret()

  await changeRow(em, admin, channels, id, { settings: { signing_secret: secret } }, at)

  return secret
}
