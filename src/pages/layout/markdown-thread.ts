import { answerRequests } from '#platform/process/answer-requests.ts'
import { renderMarkdown } from './render.ts'

/** For the texts of a list. The rest is shown as it was written. */
const maxMilliseconds = 300

answerRequests<string[], (string | undefined)[]>(texts => {
  const endsAt = performance.now() + maxMilliseconds

  return texts.map(text => (performance.now() > endsAt ? undefined : renderMarkdown(text)))
})
