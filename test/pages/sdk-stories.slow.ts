import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { aBundle, script } from '../errors/fixtures/bundle.ts'
import { serveShop } from '../errors/fixtures/pages.ts'
import { uploader } from '../errors/source-maps/uploader.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { plainly } from '../support/children.ts'
import { openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'
import { eventually } from '../support/world.ts'

const noPython = spawnSync('python3', ['-c', 'import sentry_sdk']).status === 0 ? false : 'Python has no sentry-sdk'

t.test(
  'an error of a minified website is found, shown as it was written, resolved, and seen to come back',
  {
    skip: noBrowser || false
  },
  async t => {
    const { app, work, project, dsn, read } = await openStory(t)
    const website = await serveShop(t, { scripts: { '/shop.js': startSdk, '/assets/app.js': script } })
    const visit = await (await openBrowser(t)).newPage()

    await work('maintenance')
    await uploader(app).upload(aBundle(), project.id)
    await read({
      crash: async () => {
        await visit.goto(`${website}/?dsn=${encodeURIComponent(dsn)}`)
        await visit.evaluate('setTimeout(shopRun)')
        await visit.evaluate('new Promise(resolve => setTimeout(resolve)).then(flush)')
      },
      title: 'RangeError a negative price: hat',
      place: 'src/cart.ts',
      line: /throw new RangeError\(`a negative price/
    })
  }
)

t.test(
  'an error of a Python program is found, understood, resolved, and seen to come back',
  {
    skip: noBrowser || noPython
  },
  async t => {
    const { dsn, read } = await openStory(t)
    const program = join(import.meta.dirname, '..', 'sdks', 'python', 'shop.py')
    const env = { ...process.env, SENTRY_DSN: dsn, ORDER: '1' }

    await read({
      crash: () => promisify(execFile)(...plainly('python3', [program]), { env }),
      title: 'ValueError Order 1 was not paid',
      place: 'shop.py',
      line: /raise ValueError\(f"Order/
    })
  }
)

const startSdk = `
  import * as Sentry from '@sentry/browser'

  Sentry.init({ dsn: new URLSearchParams(location.search).get('dsn'), release: 'shop@1.2.3', environment: 'testing' })
  globalThis.flush = () => Sentry.flush()`

interface Story {
  /** Sends the error, each time anew. */
  crash: () => Promise<unknown>
  title: string
  /** The file and the line that threw. */
  place: string
  line: RegExp
}

/** A project, and someone who reads of its errors in a browser. */
async function openStory(t: Test) {
  const world = await openProject(t)
  const { page, address } = await openReader(t, world.app)
  const list = `${address}/projects/${world.project.id}/errors`

  return {
    ...world,
    dsn: world.key.sentry_dsn.replace('tocsin.test', new URL(address).host),
    read: (story: Story) => readStory(t, page, list, story)
  }
}

async function readStory(t: Test, page: Page, list: string, { crash, title, place, line }: Story) {
  const searched = `${list}?query=${encodeURIComponent(`is:unresolved ${title.split(' ').slice(1).join(' ')}`)}`
  const isListed = async () => {
    await page.goto(searched)

    return (await page.locator('[data-row]').count()) === 1
  }

  await crash()
  await eventually(isListed, 'the error is in the list')
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { name: title }).waitFor()
  t.match(
    await page
      .locator('.frame')
      .filter({ has: page.locator('mark') })
      .first()
      .textContent(),
    place
  )
  t.match(await page.locator('.frame mark').first().textContent(), line, 'the line that threw is marked')

  await page.getByText('Resolve', { exact: true }).click()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  t.equal(await isListed(), false, 'a resolved error is no longer listed')
  await crash()
  await eventually(isListed, 'the error is back')
  t.equal(await page.locator('[data-row] .badge.bad').textContent(), 'regressed')
}
