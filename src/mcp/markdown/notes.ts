import { bounded, codeBlock } from './markdown.ts'

const maxNotes = 20

interface Note {
  body: string
  author: { username: string } | null
  created_at: string
}

/** The last notes of an alert or an incident, oldest first. */
export function writeNotes(all: Note[]) {
  const notes = all
    .slice(-maxNotes)
    .map(({ body, author, created_at }) => ({ author: author?.username ?? null, created_at, body: bounded(body, 2000) }))
  const written = notes.map(({ author, created_at, body }) => `${created_at} ${author ?? 'system'}:\n${codeBlock(body)}`).join('\n\n')

  return { notes, written: written || undefined }
}
