import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'
import { openApp } from '../support/world.ts'

t.test('the user menu is at the foot of the sidebar at every width', { skip: noBrowser || false }, async t => {
  const { address, page } = await openReader(t, (await openApp(t)).app)
  const place = (selector: string) =>
    page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().toJSON()`) as Promise<{ top: number; bottom: number }>

  await page.goto(address)
  for (const width of [320, 390, 650, 700, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const opener = page.getByRole('button', { name: 'Navigation' })

    if (await opener.isVisible()) await opener.click()
    const [menu, brand] = [await place('.who'), await place('.sidebar .brand')]

    t.ok(brand.top >= 0 && brand.bottom < 100, `the name is on top at ${width}`)
    t.ok(menu.top > 800 && menu.bottom <= 900, `the menu is at the foot at ${width}: ${menu.top} to ${menu.bottom}`)
    await page.reload()
  }
})

t.test('a row of tabs begins with a whole tab, and has the current one in view', { skip: noBrowser || false }, async t => {
  const { app, project } = await openProject(t)
  const { page, open } = await openReader(t, app, { width: 390 })

  for (const tab of ['errors?status=ignored', 'alerts?status=resolved', 'incidents?status=closed', 'statistics?days=90']) {
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
