import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { openReader } from '../support/reader.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { look } from './look.ts'

t.test('a user creates a project and adds a member, who sees it', { skip: noBrowser || false }, async t => {
  const { app, call } = await openApp(t)
  const { page, open, problems, browser, address } = await openReader(t, app)
  const ann = await aMember({ app, call }, 'ann')

  await call('POST', '/groups', { name: 'Acme', path: 'acme' })
  await open('/')
  await look(t, page, 'home-empty')
  await page.getByRole('link', { name: 'New project' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('My Shop')
  t.equal(await page.getByLabel('Path').getAttribute('placeholder'), 'my-shop')
  await look(t, page, 'new-project')
  await page.getByLabel('Owner').selectOption('acme')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'Setup' }).waitFor()
  t.hasStrict(await call('GET', '/projects/acme%2Fmy-shop'), { status: 200, body: { name: 'My Shop' } })
  await look(t, page, 'new-setup')
  await page.getByText('/acme/my-shop.git').waitFor()

  await page.getByRole('link', { name: 'Members' }).click()
  await look(t, page, 'members')
  await page.getByLabel('Name, username or e-mail').fill('name of')
  await page.getByLabel('Role', { exact: true }).selectOption('Developer')
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('button', { name: 'Add @ann' }).waitFor()
  await look(t, page, 'members-choice')
  await page.getByRole('button', { name: 'Add @ann' }).click()
  await page.getByText('Name of ann is now a member.').waitFor()
  await page.getByText('Change: @ann').click()
  await look(t, page, 'members-change')

  const context = await browser.newContext()
  await context.addCookies(Object.entries(ann.cookies).map(([name, value]) => ({ name, value, url: address })))
  const pageOfAnn = await context.newPage()
  await pageOfAnn.goto(`${address}/projects`)
  await pageOfAnn.getByRole('link', { name: 'My Shop' }).click()
  await pageOfAnn.getByRole('heading', { name: 'Setup' }).waitFor()

  await page.getByLabel('My Shop').getByRole('link', { name: 'Settings' }).click()
  await look(t, page, 'project-settings')
  await page.getByRole('link', { name: 'Error settings' }).click()
  await look(t, page, 'error-settings')

  await open('/projects')
  await look(t, page, 'projects')
  await page.getByRole('link', { name: 'Acme', exact: true }).click()
  await look(t, page, 'group')
  await page.getByRole('link', { name: 'Settings' }).click()
  await look(t, page, 'group-settings')
  await page.goBack()
  await page.getByRole('link', { name: 'New subgroup' }).click()
  await look(t, page, 'new-subgroup')
  await page.getByRole('link', { name: 'Admin', exact: true }).click()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await look(t, page, 'users')
  await page.getByRole('link', { name: 'New user' }).click()
  await look(t, page, 'new-user')
  await open(`/admin/users/${ann.id}`)
  await look(t, page, 'user')
  t.same(problems, [], 'and the browser had nothing to complain of')
})
