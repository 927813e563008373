import { setImmediate } from 'node:timers/promises'
import { Thread, ThreadFailure } from '../../../platform/process/thread.ts'
import { type Html, html, trusted } from '../html.ts'
import { renderMarkdown } from './render.ts'

export type MarkdownTexts = { text: string; projectId: number | undefined }[]

const maxLength = 100_000
/** What the event loop does not notice. */
const shortLength = 1000

const thread = new Thread<MarkdownTexts, (string | undefined)[]>(new URL('./markdown-thread.ts', import.meta.url), {
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
  const rendered = text.length <= shortLength ? renderMarkdown(text, projectId) : await renderInTurn(text, projectId)

  return rendered === undefined
    ? html`<div class="markdown" dir="auto"><pre>${text}</pre></div>`
    : html`<div class="markdown" dir="auto">${trusted(rendered)}</div>`
}

let texts: MarkdownTexts = []
let batch: Promise<(string | undefined)[]> | undefined

/** Together with the other texts of the page, which are asked for in the same turn. */
async function renderInTurn(text: string, projectId: number | undefined) {
  const index = texts.push({ text, projectId }) - 1

  batch ??= renderBatch()

  return (await batch)[index]
}

async function renderBatch() {
  await setImmediate()
  const asked = texts

  texts = []
  batch = undefined
  try {
    return await thread.ask(asked)
  } catch (error) {
    if (error instanceof ThreadFailure) return []
    throw error
  }
}
