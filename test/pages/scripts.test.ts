import type { AddressInfo } from 'node:net'
import t from 'tap'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { eventually, openApp, rootPassword } from '../support/world.ts'

t.test('a session that ends loses nothing of what was typed', { skip: noBrowser || false }, async t => {
  const { app, call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  await call('POST', `/projects/${project.id}/issues`, { title: 'Slow', issue_type: 'incident' })
  await listen(app)
  const page = await (await openBrowser(t)).newPage()
  const signIn = async () => {
    await page.getByLabel('Username or e-mail').fill('root')
    await page.getByLabel('Password').fill(rootPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const comment = page.getByLabel('Add a comment')
  const path = `/projects/${project.id}/incidents/1`

  await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`)
  await signIn()
  await comment.fill('The disk is full.')
  await platform.pool.query('DELETE FROM sessions')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await signIn()
  // The form that was kept is named in the query.
  await page.waitForURL(url => url.pathname === path)
  await eventually(async () => (await comment.inputValue()) === 'The disk is full.', 'the comment is back')

  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('The disk is full.').first().waitFor()
  await page.reload()
  await eventually(async () => (await comment.count()) === 1 && (await comment.inputValue()) === '', 'an accepted comment is not kept')
})
