import { FileStore } from './file-store.ts'

export type AvatarKind = 'user' | 'group' | 'project'

export function avatarFiles(config: { dataDir: string; namespace: string }, kind: AvatarKind) {
  return new FileStore(config, `avatars/${kind}`)
}

export function avatarUrl(kind: AvatarKind, { id, avatar }: { id: number; avatar?: string | null }, baseUrl: string) {
  return avatar ? `${baseUrl}${avatarPath(kind)}/${id}/${avatar}` : null
}

/** Where the avatars of a kind are served. */
export function avatarPath(kind: AvatarKind) {
  return `/uploads/-/system/${kind}/avatar`
}
