import { codeBlock } from '#lib/markdown.ts'

export const maxNotes = 20

/** Limit for comments and notes that are shown with their subject. */
export const bodyLimit = { body: { max: 500, rest: 'see list_comments' } }

interface Note {
  body: string
  author: { username: string } | null
  created_at: string
}

export type NoteData = ReturnType<typeof presentNotes>[number]

export function presentNotes(notes: Note[]) {
  return notes.map(({ body, author, created_at }) => ({ author: author?.username ?? null, created_at, body }))
}

/** The last notes, oldest first, and where the others are. */
export function latestNotes(all: Note[]) {
  return { notes: presentNotes(all.slice(-maxNotes)), ...(all.length > maxNotes && { earlier_notes: 'See list_comments.' }) }
}

export function writeNotes(notes: NoteData[]) {
  return notes.map(({ author, created_at, body }) => `${created_at} ${author ?? 'system'}:\n${codeBlock(body)}`).join('\n\n')
}
