import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'

t.test('the figures of an error fit on a phone, however large they are', { skip: noBrowser || false }, async t => {
  const { app, project, send, untilStored } = await openProject(t)
  const { page, open } = await openReader(t, app)

  await send(anEnvelope({ exception: { values: [{ type: 'TypeError', value: 'it broke' }] } }))
  await untilStored(1)
  await page.setViewportSize({ width: 390, height: 900 })
  await open(`/projects/${project.id}/errors`)
  await page.evaluate(`
    for (const figure of document.querySelectorAll('.errors .number b')) figure.textContent = '1,234,567'
    for (const time of document.querySelectorAll('.errors .seen time')) time.textContent = '59 minutes ago'`)
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
})
