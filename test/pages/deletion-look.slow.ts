import t from 'tap'
import { openMarkableGroup } from '../projects/marking.ts'
import { noBrowser } from '../support/browser.ts'
import { openReader } from '../support/reader.ts'
import { look } from './look.ts'

t.test('the pages of what is marked are accessible and fit', { skip: noBrowser || false }, async t => {
  const { app, call, top, upper, lower } = await openMarkableGroup(t)
  const { page, open, problems } = await openReader(t, app)

  await call('DELETE', `/projects/${upper.id}`)
  await open(`/projects/${upper.id}/settings`)
  await look(t, page, 'deletion-project-settings')
  await page.getByRole('button', { name: 'Restore the project' }).click()
  await page.getByText('Restored.', { exact: true }).waitFor()
  await call('DELETE', `/groups/${top.id}`)
  for (const [name, url] of Object.entries({
    'group-settings': `/groups/${top.id}/-/settings`,
    'inner-settings': `/projects/${lower.id}/settings`,
    members: `/projects/${upper.id}/members`,
    group: `/groups/top-deletion_scheduled-${top.id}`,
    projects: '/projects'
  })) {
    await open(url)
    await look(t, page, `deletion-${name}`)
  }
  t.same(problems, [])
})
