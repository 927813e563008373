import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { newHexSecret } from '#identity/secrets.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { decrypt, encrypt, type KeySource } from '#platform/database/encryption.ts'
import type { Project } from '#projects/project.ts'
import { deletePushSecret, findPushSecret, savePushSecret } from './push-secret-store.ts'

/** The new secret, which is shown once. The one before is void. */
export async function renewPushSecret(em: EntityManager, config: KeySource, project: Project, by: Actor) {
  const secret = newHexSecret()
  const sealed = await encrypt(config, secret, ownerOf(project.id))

  await em.transactional(async em => {
    await savePushSecret(em, project.id, sealed)
    recordAuditEvent(em, by, { name: 'push_secret_created', entity: project.audited() })
  })

  return secret
}

export async function removePushSecret(em: EntityManager, project: Project, by: Actor) {
  await em.transactional(async em => {
    await deletePushSecret(em, project.id)
    recordAuditEvent(em, by, { name: 'push_secret_deleted', entity: project.audited() })
  })
}

export interface PushProof {
  body: Buffer
  /** GitLab sends the secret itself. */
  token: string | undefined
  /** Others sign the body with it. */
  signature: string | undefined
}

/** Whether the sender of a push knows the secret of the project. */
export async function provesPush(em: EntityManager, config: KeySource, projectId: number, { body, token, signature }: PushProof) {
  const stored = await findPushSecret(em, projectId)
  const secret = stored && (await decrypt(config, stored.secret, ownerOf(projectId)))

  if (!secret) return false
  if (token !== undefined) return isEqual(token, secret)

  return signature !== undefined && isEqual(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
}

function isEqual(one: string, other: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()

  return timingSafeEqual(digest(one), digest(other))
}

function ownerOf(projectId: number) {
  return `pushes to project ${projectId}`
}
