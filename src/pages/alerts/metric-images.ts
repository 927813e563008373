import type { presentImage } from '#alerts/present-alert-details.ts'
import { section } from '../errors/event/section.ts'
import { externalLink } from '../layout/external-link.ts'
import { html } from '../layout/html.ts'

/** Pictures of graphs that users attached. */
export function metricImages(images: ReturnType<typeof presentImage>[]) {
  if (images.length === 0) return undefined

  return section(
    { id: 'images', title: 'Metric images' },
    html`
    <div class="metric-images">${images.map(
      ({ file_path: path, filename, url, url_text: text }) => html`
      <figure><a href="${path}"><img src="${path}" alt="${filename}" loading="lazy"></a><figcaption>${filename} ${url && externalLink(url, text || url)}</figcaption></figure>`
    )}</div>`
  )
}
