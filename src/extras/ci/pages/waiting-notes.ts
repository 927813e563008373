import { html } from '#pages/layout/html.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import type { Wait } from '../runners/why-waiting.ts'

const maxNotes = 5

/** Why jobs wait for a runner, each reason once, with the way to change that. */
export function waitingNotes(waits: Wait[], { projectUrl, isMaintainer }: PageContext) {
  const sentences = [...new Set(waits.map(sentenceOf))].slice(0, maxNotes)
  const isAlone = waits.some(({ lacks }) => lacks === 'registered')
  const link = isAlone ? html`<a href="${projectUrl}/runners/new">Add a runner</a>` : html`<a href="${projectUrl}/runners">Runners</a>`
  const advice = isMaintainer ? link : isAlone && 'A maintainer of the project can add one.'

  return sentences.map(sentence => html`<p class="arrival">${sentence} ${advice}</p>`)
}

function sentenceOf({ lacks, tags }: Wait) {
  const reasons = {
    registered: 'None is registered for this project.',
    active: 'All are paused.',
    tagged: `None has the ${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}.`,
    untagged: 'None runs jobs without tags.',
    unprotected: 'None runs jobs outside the default branch.',
    online: 'None that can run it is online.',
    free: 'It starts when one is free.'
  }

  return `Waiting for a runner. ${reasons[lacks]}`
}
