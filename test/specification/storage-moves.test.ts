import t from 'tap'
import { someStorages } from '../storage-moves/some-storages.ts'
import { eventually } from '../support/world.ts'
import { prove } from './prove.ts'
import { storageMoves } from './statements/endpoints.ts'
import { otherResources } from './statements/resources.ts'

const { call, project, commit, work } = await someStorages(t)
const { body: other } = await call('POST', '/projects', { name: 'Other' })
const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
const { body: snippet } = await call('POST', '/snippets', {
  title: 'Text',
  visibility: 'private',
  files: [{ file_path: 'a.txt', content: 'a' }]
})

await commit()
await call('POST', `/groups/${group.id}/wikis`, { title: 'Home', content: 'Welcome' })
await work('storage-moves')

/** A bulk move that ends with a finished move of this one. */
async function finished(kind: 'project' | 'snippet' | 'group', id: number) {
  const url = `/${kind}_repository_storage_moves`
  const { status } = await call('POST', url, { source_storage_name: 'near', destination_storage_name: 'far' })

  if (status !== 202) throw new Error(`${url} answered ${status}`)

  return eventually(async () => {
    const { body } = await call('GET', url)

    return body.find((move: { state: string } & Record<string, { id: number }>) => move.state === 'finished' && move[kind]!.id === id)
  }, `the ${kind} has moved`)
}

prove(t, storageMoves, {
  'POST /project_repository_storage_moves': async t => {
    t.hasStrict(await finished('project', project.id), { source_storage_name: 'near', destination_storage_name: 'far', state: 'finished' })
  },
  'POST /snippet_repository_storage_moves': async t => t.ok(await finished('snippet', snippet.id)),
  'POST /group_repository_storage_moves': async t => t.ok(await finished('group', group.id)),
  'GET /projects?repository_storage=': async t => {
    const ids = async (storage: string) =>
      (await call('GET', `/projects?repository_storage=${storage}`)).body.map(({ id }: { id: number }) => id)

    t.ok((await ids('far')).includes(project.id))
    t.notOk((await ids('near')).includes(project.id))
  }
})

prove(t, otherResources, {
  'storage move': async t => {
    const { body } = await call('GET', '/project_repository_storage_moves')

    t.equal(body.at(-1).state, 'finished')
    t.equal((await call('GET', `/projects/${project.id}`)).body.repository_storage, 'far')
  },
  'id and iid': async t => {
    const issueOf = async (id: number) => (await call('POST', `/projects/${id}/issues`, { title: 'Broken' })).body
    const [one, two] = [await issueOf(project.id), await issueOf(other.id)]

    t.not(one.id, two.id)
    t.equal(one.iid, two.iid)
    t.equal((await call('GET', `/projects/${other.id}/issues/${two.iid}`)).body.id, two.id)
  },
  'booleans in requests': async t => {
    const url = `/projects/${other.id}/error_tracking/settings`
    const put = (active: unknown) => call('PUT', url, { active, integrated: true })

    for (const active of [true, false]) t.equal((await put(active)).body.active, active)
    t.equal((await put('perhaps')).status, 400)
  }
})
