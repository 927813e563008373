import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { without } from '../support/extras.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { rootToken } from '../support/world.ts'
import { someStorages } from './some-storages.ts'

t.test('a client made for GitLab moves repositories unchanged', { skip: without('snippets') }, async t => {
  const { app, config, call, run, commit, project } = await someStorages(t)
  const { body: group } = await call('POST', '/groups', { name: 'Company', path: 'company' })
  const { body: snippet } = await call('POST', '/snippets', { title: 'Notes', file_name: 'a.txt', content: 'hello' })
  const host = await listen(app)

  config.baseUrl = host
  await commit()
  const client = new Gitlab({ host, token: rootToken })
  const kinds = [
    [client.ProjectRepositoryStorageMoves, { projectId: project.id }, { project: { id: project.id, path: 'shop' } }],
    [client.GroupRepositoryStorageMoves, { groupId: group.id }, { group: { id: group.id, name: 'Company' } }],
    [client.SnippetRepositoryStorageMoves, { snippetId: snippet.id }, { snippet: { id: snippet.id, title: 'Notes' } }]
  ] as const

  for (const [moves, of, subject] of kinds) {
    const { id } = (await moves.schedule('near', { ...of, destinationStorageName: 'far' })) as { id: number }
    const scheduled = { id, state: 'scheduled', source_storage_name: 'near', destination_storage_name: 'far', ...subject }

    hasExactly(t, await moves.show(id, of), scheduled)
    await run(id)
    hasExactly(t, await moves.show(id), { ...scheduled, state: 'finished', error_message: null })
    hasExactly(t, await moves.all(of), [{ id, state: 'finished' }])
    hasExactly(t, await moves.all(), [{ id }])
    await t.rejects<unknown>(() => moves.schedule('moon', { destinationStorageName: 'far' }), {
      message: /source_storage_name|not included/
    })
    hasExactly(t, await moves.schedule('near', { destinationStorageName: 'far' }), { message: '202 Accepted' })
  }
})
