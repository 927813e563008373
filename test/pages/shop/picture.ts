import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = process.env.PICTURES
/** Enough to see how a long page begins. */
const maxHeight = { phone: 1500, desk: 1300 }
const quality = 70

/** Writes the page as it is shown now, for the documentation, if PICTURES names a folder. */
export async function picture(page: Page, route: string, width: number) {
  if (!folder) return
  const session = await page.context().newCDPSession(page)
  const content = (await page.evaluate('document.documentElement.scrollHeight')) as number
  const height = Math.min(content, width < 500 ? maxHeight.phone : maxHeight.desk)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 }
  })

  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${nameOf(route)}-${width}.webp`), Buffer.from(data, 'base64'))
  await session.detach()
}

/** `/projects/:id/errors/:fingerprint` as `project-errors-fingerprint`. */
function nameOf(route: string) {
  const name = route
    .replace('/projects/:id', 'project')
    .replaceAll(/\(.*?\)/g, '')
    .replaceAll(/\W+/g, '-')
    .replaceAll(/^-|-$/g, '')

  return name || 'home'
}
