import type { Static } from 'typebox'
import { compileBounded } from '#lib/bounded-regex.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { RegistrySettings } from '#settings/read-registry.ts'
import { ImageRepository } from './image-repository.ts'
import type { deleteTags } from './jobs.ts'
import { readCreated } from './manifest.ts'
import { RegistryClient } from './registry-client.ts'

export type TagSelection = Static<typeof deleteTags.item>

export interface TagDeletion {
  registry: RegistrySettings | undefined
  at: Date
  signal: AbortSignal
}

/** Running it twice deletes nothing more: the latest images that are kept stay the latest. */
export async function deleteSelectedTags(em: EntityManager, selection: TagSelection, { registry, at, signal }: TagDeletion) {
  const repository = await em.findOne(ImageRepository, { id: selection.repositoryId, isDeleting: false })

  if (!repository || !registry) return
  const client = new RegistryClient(registry, repository.path)
  const named = (await client.listTags()).filter(tag => isNamed(tag, selection))

  for (const tag of await selectByAge(client, named, selection, { at, signal })) {
    signal.throwIfAborted()
    await client.deleteTag(tag)
  }
}

/** As in GitLab, `latest` is never selected. */
function isNamed(tag: string, { nameRegexDelete, nameRegexKeep }: TagSelection) {
  return tag !== 'latest' && isWhole(nameRegexDelete, tag) && !(nameRegexKeep && isWhole(nameRegexKeep, tag))
}

function isWhole(regex: string, tag: string) {
  return compileBounded(regex)?.matches(tag) ?? false
}

async function selectByAge(
  client: RegistryClient,
  tags: string[],
  { latestKept = 0, olderThanSeconds }: TagSelection,
  { at, signal }: Pick<TagDeletion, 'at' | 'signal'>
) {
  if (latestKept === 0 && olderThanSeconds === undefined) return tags
  const images: { tag: string; created: number }[] = []

  for (const tag of tags) {
    signal.throwIfAborted()
    images.push({ tag, created: await createdAt(client, tag) })
  }
  const latestFirst = images.sort((a, b) => b.created - a.created)
  const before = at.getTime() - (olderThanSeconds ?? 0) * 1000

  return latestFirst
    .slice(latestKept)
    .filter(({ created }) => created <= before)
    .map(({ tag }) => tag)
}

/** An image that does not say when it was made counts as the oldest. */
async function createdAt(client: RegistryClient, tag: string) {
  const config = (await client.findManifest(tag))?.config
  const created = config && readCreated(await client.readBlob(config))

  return created ? Date.parse(created) : 0
}
