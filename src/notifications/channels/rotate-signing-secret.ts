import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { changeRow, getRow, type ProjectAdmin } from '../project-resource.ts'
import { channels } from './channel-resource.ts'
import { decryptSecrets } from './channel-secrets.ts'
import { newSigningSecret } from './kinds/webhook.ts'

/** Returns the new secret. For a day, the old one signs as well. */
export async function rotateSigningSecret(em: EntityManager, admin: ProjectAdmin, id: number, at: Date) {
  const { kind, secrets } = await getRow(em, channels, admin.project.id, id)

  if (kind !== 'webhook') throw new ValidationFailed({ kind: ['only webhooks have a signing secret'] })
  const former = secrets && (await decryptSecrets(admin.config, admin.project.id, secrets))
  const secret = newSigningSecret()
  const settings = { signing_secret: secret, former_signing_secret: former?.signing_secret, replaced_at: at.toISOString() }

  await changeRow(em, admin, channels, id, { settings }, at)

  return secret
}
