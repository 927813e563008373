import { type decrypt, decrypt as decryptText, encrypt as encryptText } from '#platform/database/encryption.ts'

type KeySource = Parameters<typeof decrypt>[0]

/** Encrypts the secrets of a channel. They cannot be read as those of another project. */
export function encryptSecrets(source: KeySource, projectId: number, secrets: object) {
  return encryptText(source, JSON.stringify(secrets), ownerOf(projectId))
}

/** Undefined when they were encrypted with another SECRET_KEY. */
export async function decryptSecrets(
  source: KeySource,
  projectId: number,
  stored: Uint8Array
): Promise<Record<string, unknown> | undefined> {
  const text = await decryptText(source, stored, ownerOf(projectId))

  return text === undefined ? undefined : JSON.parse(text)
}

function ownerOf(projectId: number) {
  return `notification channel of project ${projectId}`
}
