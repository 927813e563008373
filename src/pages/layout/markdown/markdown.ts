import { ThreadClient, ThreadFailure } from '../../../platform/process/thread-client.ts'
import { type Html, html, trusted } from '../html.ts'
import { renderMarkdown } from './render.ts'

export interface MarkdownTexts {
  texts: string[]
  projectId: number | undefined
}

const maxLength = 100_000
/** Of all texts of a list; those beyond are cut to the length of a short one. */
const maxTotal = 400_000
/** What the event loop does not notice. */
const shortLength = 1000

const thread = new ThreadClient<MarkdownTexts, (string | undefined)[]>(new URL('./markdown-thread.ts', import.meta.url), {
  heapMb: 128,
  ms: 3000,
  waiting: 20
})

/** Markdown that users and programs wrote. With a project, the addresses of its uploads are complete. */
export async function markdown(text: string, projectId?: number): Promise<Html> {
  return (await markdownOf([text], projectId))[0]!
}

/**
 * The same for all texts of a list. Longer ones are rendered in a thread, because their writers decide how long that takes.
 * A text that takes too long is shown as it was written.
 */
export async function markdownOf(given: string[], projectId?: number): Promise<Html[]> {
  const texts = cut(given)
  const long = texts.filter(text => !isShort(text))
  const rendered = long.length > 0 ? await renderInThread({ texts: long, projectId }) : []
  let next = 0

  return texts.map((text, n) => block(text, isShort(text) ? renderMarkdown(text, projectId) : rendered[next++], given[n]!.length))
}

function cut(given: string[]) {
  let left = maxTotal

  return given.map(text => {
    const shown = text.slice(0, Math.min(maxLength, Math.max(shortLength, left)))

    left -= shown.length

    return shown
  })
}

function isShort({ length }: string) {
  return length <= shortLength
}

async function renderInThread(texts: MarkdownTexts) {
  try {
    return await thread.ask(texts)
  } catch (error) {
    if (error instanceof ThreadFailure) return []
    throw error
  }
}

function block(text: string, rendered: string | undefined, length: number) {
  const hint = text.length < length && html`<p class="hint">The first ${text.length} of ${length} characters are shown.</p>`

  return html`<div class="markdown" dir="auto">${rendered === undefined ? html`<pre>${text}</pre>` : trusted(rendered)}</div>${hint}`
}
