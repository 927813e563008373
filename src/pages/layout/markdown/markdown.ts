import { setImmediate } from 'node:timers/promises'
import { ThreadClient, ThreadFailure } from '../../../platform/process/thread-client.ts'
import { type Html, html, trusted } from '../html.ts'
import { renderMarkdown } from './render.ts'

export type MarkdownTexts = { text: string; projectId: number | undefined }[]

const maxLength = 100_000
/** Of all long texts of a page; what is beyond is cut to the length of a short one. */
const maxTotal = 400_000
/** What the event loop does not notice. */
const shortLength = 1000

const thread = new ThreadClient<MarkdownTexts, (string | undefined)[]>(new URL('./markdown-thread.ts', import.meta.url), {
  heapMb: 128,
  ms: 3000,
  waiting: 20
})

/**
 * Markdown that users and programs wrote. Longer texts are rendered in a thread, because their writers decide how long that
 * takes. Those that take too long are shown as they were written.
 */
export async function markdown(given: string, projectId?: number): Promise<Html> {
  const text = given.slice(0, maxLength)

  const { shown, rendered } =
    text.length <= shortLength ? { shown: text, rendered: renderMarkdown(text, projectId) } : await renderInTurn(text, projectId)
  const hint = shown.length < given.length && html`<p class="hint">The first ${shown.length} of ${given.length} characters are shown.</p>`

  return html`<div class="markdown" dir="auto">${rendered === undefined ? html`<pre>${shown}</pre>` : trusted(rendered)}</div>${hint}`
}

let texts: MarkdownTexts = []
let batch: Promise<Rendered[]> | undefined

interface Rendered {
  shown: string
  /** Undefined when it took too long. */
  rendered: string | undefined
}

/** Together with the other texts of the page, which are asked for in the same turn. */
async function renderInTurn(text: string, projectId: number | undefined) {
  const index = texts.push({ text, projectId }) - 1

  batch ??= renderBatch()

  return (await batch)[index]!
}

async function renderBatch() {
  await setImmediate()
  const asked = cut(texts)

  texts = []
  batch = undefined
  const rendered = await ask(asked)

  return asked.map(({ text }, n) => ({ shown: text, rendered: rendered[n] }))
}

function cut(given: MarkdownTexts) {
  let left = maxTotal

  return given.map(({ text, projectId }) => {
    const shown = text.slice(0, Math.max(shortLength, left))

    left -= shown.length

    return { text: shown, projectId }
  })
}

async function ask(asked: MarkdownTexts) {
  try {
    return await thread.ask(asked)
  } catch (error) {
    if (error instanceof ThreadFailure) return []
    throw error
  }
}
