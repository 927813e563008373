import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'
import { openApp } from '../support/world.ts'

t.test('the user menu stays beside the name of the site at every width', { skip: noBrowser || false }, async t => {
  const { address, page } = await openReader(t, (await openApp(t)).app)
  const middle = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox())!

    return y + height / 2
  }

  await page.goto(address)
  for (const width of [320, 390, 650, 700, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    t.ok(Math.abs((await middle('.who')) - (await middle('.brand'))) < 2, `at ${width}`)
  }
})

t.test('a row of tabs begins with a whole tab, and has the current one in view', { skip: noBrowser || false }, async t => {
  const { app, project } = await openProject(t)
  const { page, open } = await openReader(t, app, { width: 390 })

  for (const tab of ['errors', 'code', 'setup', 'notifications', 'members', 'settings', 'variables']) {
    await open(`/projects/${project.id}/${tab}`)
    const rows = (await page.evaluate(`[...document.querySelectorAll('.tabs')].map(tabs => {
      const { left, right } = tabs.getBoundingClientRect()
      const boxes = [...tabs.children].map(tab => tab.getBoundingClientRect())
      const current = tabs.querySelector('[aria-current]').getBoundingClientRect()

      return {
        isCurrentInView: current.left >= left - 1 && current.right <= right + 1,
        isFirstWhole: boxes.some(box => Math.abs(box.left - left) < 2)
      }
    })`)) as object[]

    t.same([...new Set(rows.map(row => JSON.stringify(row)))], ['{"isCurrentInView":true,"isFirstWhole":true}'], tab)
  }
})
