import Type, { type Static } from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { Time } from '#api/parameters/time.ts'
import type { FileAction } from '#extras/source-code/commits/stage-actions.ts'
import { Nullable } from '#lib/nullable.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { Visibility } from '#projects/schemas.ts'
import { maxFiles } from '#snippets/snippet.ts'

const fields = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  description: Type.Optional(Nullable(Type.String({ maxLength: 1_000_000 }))),
  visibility: Type.Optional(Visibility),
  file_name: Type.Optional(Type.String({ maxLength: 255, description: 'For a snippet with one file. Use `files` instead.' })),
  content: Type.Optional(Type.String({ minLength: 1, description: 'For a snippet with one file. Use `files` instead.' }))
}
const NewFile = Type.Object({ file_path: Type.Optional(Type.String()), content: Type.String() })
const ChangedFile = Type.Object({
  action: Type.Enum(['create', 'update', 'delete', 'move']),
  file_path: Type.Optional(Type.String()),
  previous_path: Type.Optional(Type.String()),
  content: Type.Optional(Type.String())
})

export const NewSnippetBody = Type.Object({
  ...fields,
  title: Type.String({ minLength: 1, maxLength: 255 }),
  files: Type.Optional(Type.Array(NewFile, { minItems: 1, maxItems: maxFiles }))
})
export const SnippetBody = Type.Object({ ...fields, files: Type.Optional(Type.Array(ChangedFile, { minItems: 1, maxItems: maxFiles })) })
export const SnippetsQuery = Type.Object({ ...paging, created_after: Type.Optional(Time()), created_before: Type.Optional(Time()) })
export const UserAgentDetail = Type.Object({
  user_agent: Type.String(),
  ip_address: Type.String(),
  akismet_submitted: Type.Literal(false)
})

/** The files of a new snippet, or the one file that older clients send. */
export function readNewFiles({ files, file_name: name, content }: Static<typeof NewSnippetBody>): FileAction[] {
  if (files && content !== undefined) throw new InvalidInput('files, content are mutually exclusive')
  if (!files && content === undefined) throw new InvalidInput('files, content are missing, exactly one parameter must be provided')

  return (files ?? [{ file_path: name, content: content! }]).map(({ file_path: path, content }, n) => ({
    action: 'create',
    path: path || `snippetfile${n + 1}.txt`,
    content: Buffer.from(content)
  }))
}

export function readChangedFiles({ files, file_name: name, content }: Static<typeof SnippetBody>, [first = '']: string[]): FileAction[] {
  if (files) return files.map(toAction)
  if (name === undefined && content === undefined) return []
  const bytes = content === undefined ? undefined : Buffer.from(content)

  return [
    name && name !== first
      ? { action: 'move', path: name, previousPath: first, content: bytes }
      : { action: 'update', path: first, content: bytes }
  ]
}

function toAction({ action, file_path: path, previous_path: previousPath, content }: Static<typeof ChangedFile>, n: number): FileAction {
  const isMove = action === 'move'

  if (!path && !(action === 'create')) throw new InvalidInput(`files[${n}][file_path] is missing`)
  if (isMove && !previousPath) throw new InvalidInput(`files[${n}][previous_path] is missing`)
  if ((action === 'create' || action === 'update') && content === undefined) throw new InvalidInput(`files[${n}][content] is missing`)

  return {
    action,
    path: path || `snippetfile${n + 1}.txt`,
    previousPath: isMove ? previousPath : undefined,
    content: content === undefined ? undefined : Buffer.from(content)
  }
}
