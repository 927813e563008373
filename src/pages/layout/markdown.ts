import { ThreadClient, ThreadFailure } from '#platform/process/thread-client.ts'
import { type Html, html, trusted } from './html.ts'
import { renderMarkdown } from './render.ts'

const maxLength = 100_000
/** Limit for all texts of a list; those beyond are cut to an excerpt. */
const maxTotal = 400_000
const excerptLength = 1000
/** Texts up to this length are rendered on the event loop without blocking it noticeably. */
const shortLength = 4000

const thread = new ThreadClient<string[], (string | undefined)[]>(new URL('./markdown-thread.ts', import.meta.url), {
  heapMb: 128,
  ms: 3000,
  waiting: 20
})

/** Markdown that users and programs wrote. */
export async function markdown(text: string): Promise<Html> {
  return (await markdownOf([text]))[0]!
}

/**
 * The same for all texts of a list. Long ones are rendered in a thread, because their writers decide how long that takes.
 * A text that takes too long is shown as it was written.
 */
export async function markdownOf(given: string[]): Promise<Html[]> {
  const texts = cut(given)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const rendered = length <= shortLength ? texts.map(renderMarkdown) : await renderInThread(texts)

  return texts.map((text, n) => block(text, rendered[n], given[n]!.length))
}

function cut(given: string[]) {
  let left = maxTotal

  return given.map(text => {
    const shown = text.slice(0, Math.min(maxLength, Math.max(excerptLength, left)))

    left -= shown.length

    return shown
  })
}

async function renderInThread(texts: string[]) {
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
