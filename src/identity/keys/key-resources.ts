import Type from 'typebox'
import { Nullable } from '../../http/parameters/nullable.ts'
import { Time, toTime } from '../../http/parameters/time.ts'
import { ValidationFailed } from '../../http/problems/problems.ts'
import type { UserResource } from '../user-resources/user-resource.ts'
import { GpgKey } from './gpg-key.ts'
import { parseGpgKey } from './parse-gpg-key.ts'
import { parseSshKey } from './parse-ssh-key.ts'
import { SshKey, SshKeyShape, usageTypes } from './ssh-key.ts'

const NewSshKey = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 255 }),
  key: Type.String({ minLength: 1, maxLength: 5000 }),
  expires_at: Type.Optional(Nullable(Time())),
  usage_type: Type.Optional(Type.Enum([...usageTypes]))
})

export const sshKeys: UserResource<SshKey, typeof NewSshKey> = {
  path: 'keys',
  name: 'SSH key',
  entity: SshKey,
  body: NewSshKey,
  shape: SshKeyShape,
  isPublic: true,
  maxRows: 100,
  read({ title, key, expires_at: expiry, usage_type: usageType = 'auth_and_signing' }, { at }) {
    const expiresAt = toTime(expiry ?? undefined) ?? null

    if (expiresAt && expiresAt <= at) throw new ValidationFailed({ expires_at: ['must be in the future'] })

    return { title, usageType, expiresAt, ...parseSshKey(key) }
  },
  unique: { constraint: 'ssh_keys_fingerprint', attribute: 'fingerprint_sha256' },
  describe: ({ title, fingerprintSha256 }) => `${title} SHA256:${fingerprintSha256}`
}

const NewGpgKey = Type.Object({ key: Type.String({ minLength: 1, maxLength: 100_000 }) })

export const gpgKeys: UserResource<GpgKey, typeof NewGpgKey> = {
  path: 'gpg_keys',
  name: 'GPG key',
  entity: GpgKey,
  body: NewGpgKey,
  shape: Type.Object({ id: Type.Integer(), key: Type.String(), created_at: Type.String() }),
  isPublic: true,
  maxRows: 100,
  read: ({ key }) => parseGpgKey(key),
  unique: { constraint: 'gpg_keys_fingerprint', attribute: 'fingerprint' },
  describe: ({ fingerprint }) => fingerprint
}
