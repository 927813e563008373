import { answerRequests } from '../../../platform/process/answer-requests.ts'
import type { MarkdownTexts } from './markdown.ts'
import { renderMarkdown } from './render.ts'

/** For the texts of a page. Those that are left then are shown as they were written. */
const maxMilliseconds = 1000

answerRequests<MarkdownTexts, (string | undefined)[]>(texts => {
  const endsAt = performance.now() + maxMilliseconds

  return texts.map(({ text, projectId }) => (performance.now() > endsAt ? undefined : renderMarkdown(text, projectId)))
})
