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

t.test(
  'the pages of a project are in sight on a small screen, and on a phone each is a row for a thumb',
  { skip: noBrowser || false },
  async t => {
    const { app, project } = await openProject(t)
    const { page, open } = await openReader(t, app, { width: 1440 })
    const hidden = `(() => { const pages = document.querySelector('.nav-pages'); return pages.scrollHeight - pages.clientHeight })()`

    await page.setViewportSize({ width: 1440, height: 800 })
    await open(`/projects/${project.id}/members`)
    t.equal(await page.evaluate(hidden), 0, 'nothing scrolls at 800 px')
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(`/projects/${project.id}/settings`)
    t.equal(await page.evaluate(hidden), 0, 'nor do the settings at 900 px')

    await page.setViewportSize({ width: 390, height: 844 })
    await open(`/projects/${project.id}/members`)
    await page.getByRole('button', { name: 'Navigation' }).click()
    const heights = (await page.evaluate(`[...document.querySelectorAll('.sidebar nav a')].map(link => link.offsetHeight)`)) as number[]
    t.ok(Math.min(...heights) >= 44, `the lowest row has ${Math.min(...heights)} px`)
    t.equal(await page.locator('.finder kbd').isVisible(), false, 'a phone has no Ctrl key')
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/drawer-390.png` })
    await page.setViewportSize({ width: 390, height: 600 })
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  }
)
