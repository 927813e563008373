import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import { checkUnmodified } from '#platform/database/lock-for-change.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isRefName } from '#platform/git/names.ts'
import { type Person, signedBy } from '#platform/git/signature.ts'
import type { Ref } from '#repositories/objects/list-refs.ts'
import { readCommitsBySha } from '#repositories/objects/read-commits.ts'
import { noSha, readRef, resolveCommit } from '#repositories/objects/resolve.ts'
import { CommitShape, presentCommit } from '../commits/present-commit.ts'
import { createRef, deleteRefs } from './write-refs.ts'

export const TagShape = Type.Object({
  name: Type.String(),
  message: Nullable(Type.String()),
  target: Type.String({ description: 'The sha of the tag object, or of the commit of a lightweight tag.' }),
  commit: Nullable(CommitShape),
  release: Type.Null(),
  protected: Type.Literal(false),
  created_at: Nullable(Type.String({ description: 'Null for a lightweight tag.' }))
})

/** Tags with their commits, and the messages of annotated ones. */
export async function presentTags(repo: GitDirectory, tags: Ref[], projectUrl: string) {
  const shas = tags.flatMap(({ commit }) => commit ?? [])
  const [commits, annotations] = await Promise.all([readCommitsBySha(repo, shas), readAnnotations(repo, tags)])

  return tags.map(({ name, target, commit: sha }) => {
    const { message = null, createdAt = null } = annotations.get(target) ?? {}
    const commit = sha === undefined ? undefined : commits.get(sha)

    return {
      name,
      message,
      target,
      commit: commit ? presentCommit(commit, { projectUrl }) : null,
      release: null,
      protected: false as const,
      created_at: createdAt
    }
  })
}

async function readAnnotations(repo: GitDirectory, tags: Ref[]) {
  const refs = tags.filter(({ target, commit }) => target !== commit).map(({ name }) => `refs/tags/${name}`)

  if (refs.length === 0) return new Map<string, { message: string; createdAt: string | null }>()
  const format = '--format=%(objectname)%00%(taggerdate:iso-strict)%00%(contents:subject)%0a%0a%(contents:body)%00'
  const values = (await repo.text(['for-each-ref', format, ...refs])).split('\0')

  return new Map(
    Array.from({ length: Math.floor(values.length / 3) }, (_, n) => {
      const [sha = '', at = '', message = ''] = values.slice(n * 3, n * 3 + 3)

      return [sha.trim(), { message: message.trim(), createdAt: at && !Number.isNaN(Date.parse(at)) ? new Date(at).toISOString() : null }]
    })
  )
}

/** Lightweight without a message. */
export async function createTag(repo: GitDirectory, name: string, revision: string, tag: { message?: string; tagger: Person }) {
  if (!isRefName(name)) throw new InvalidInput('Tag name invalid')
  const ref = `refs/tags/${name}`
  const commit = await resolveCommit(repo, revision)

  if (!commit) throw new InvalidInput(`Target ${revision} is invalid`)
  if (await readRef(repo, ref)) throw new InvalidInput(`Tag ${name} already exists`)
  const sha = tag.message ? await annotate(repo, name, commit, tag.message, tag.tagger) : commit

  await createRef(repo, ref, sha)

  return [{ ref, before: noSha, after: sha }]
}

export async function deleteTag(repo: GitDirectory, name: string, since?: Date) {
  const ref = `refs/tags/${name}`
  const sha = isRefName(name) ? await readRef(repo, ref) : undefined

  if (!sha) throw new NotFound('Tag')
  if (since) checkUnmodified(await taggedAt(repo, ref), since)

  return deleteRefs(repo, [{ ref, sha }], since !== undefined)
}

async function taggedAt(repo: GitDirectory, ref: string) {
  return new Date(Number(await repo.text(['for-each-ref', '--format=%(creatordate:unix)', ref])) * 1000)
}

async function annotate(repo: GitDirectory, name: string, commit: string, message: string, tagger: Person) {
  const env = signedBy(tagger)
  const ident = await repo.text(['var', 'GIT_COMMITTER_IDENT'], { env })

  return repo.text(['mktag'], { input: `object ${commit}\ntype commit\ntag ${name}\ntagger ${ident}\n\n${message.trimEnd()}\n` })
}
