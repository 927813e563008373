import { LRUCache } from 'lru-cache'
import { type Html, trusted } from '#pages/layout/html.ts'
import { ThreadClient, ThreadFailure } from '#platform/process/thread-client.ts'
import { languageOf } from './languages.ts'

const maxLength = 262_144
const maxLines = 5000

export interface HighlightRequest {
  language: string
  text: string
}

const thread = new ThreadClient<HighlightRequest, string[]>(new URL('./highlight-thread.ts', import.meta.url), {
  heapMb: 128,
  ms: 2000,
  waiting: 10
})

/** The texts that took too long or needed too much memory, by the hash of their blob. */
const refused = new LRUCache<string, true>({ max: 1000 })

/**
 * The lines of a file with the classes of its syntax, made in a thread: the patterns of a language may need much time for a text that
 * someone chose. Undefined when the language is unknown, or the text is too much: then show it as it is.
 */
export async function highlight(path: string, blobSha: string, text: string): Promise<Html[] | undefined> {
  const language = languageOf(path)

  if (!language || text.length > maxLength || refused.has(blobSha) || countLines(text) > maxLines) return undefined
  try {
    return (await thread.ask({ language, text })).map(trusted)
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error
    if (error.reason !== 'busy') refused.set(blobSha, true)

    return undefined
  }
}

function countLines(text: string) {
  let lines = 1

  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++

  return lines
}
