import { html } from '../layout/html.ts'

export const perPage = 25

export interface Links {
  page: number
  next: string
  previous: string
}

export function pageLinks({ page, next, previous }: Links, total: number) {
  return html`
    <nav class="pages" aria-label="Pages">
      ${page > 1 && html`<a class="button plain small" rel="prev" href="${previous}">Previous</a>`}
      ${page * perPage < total && html`<a class="button plain small" rel="next" href="${next}">Next</a>`}
    </nav>`
}
