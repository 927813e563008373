import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { count } from '#lib/counted.ts'
import { Nullable } from '#lib/nullable.ts'
import { formOf } from '#pages/layout/field.ts'
import type { Form } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import { ago, timeLeft } from '#pages/layout/time.ts'
import { moveKinds } from '#storage-moves/move-kinds.ts'
import type { BulkProgress, StorageState } from '#storage-moves/overview.ts'
import type { StorageMove } from '#storage-moves/storage-move.ts'

const kinds = moveKinds.map(({ name }) => name)

export const MoveForm = Type.Object({ kind: Type.Enum(kinds), source: Type.String(), destination: Nullable(Type.String()) })

interface StoragesView {
  storages: StorageState[]
  bulks: BulkProgress[]
  failed: StorageMove[]
  /** Undefined without a container registry. */
  registryUrl: string | undefined
  form: Form<typeof MoveForm>
  now: Date
}

export function storagesView(request: FastifyRequest, { storages, bulks, failed, registryUrl, form, now }: StoragesView) {
  return html`
    <h1>Storages</h1>
    <p class="lead">Git repositories are stored in these directories, set by <code>REPOSITORY_STORAGES</code>.</p>
    <table class="stacked">
      <thead><tr><th scope="col">Storage</th><th scope="col">Repositories</th><th scope="col">Weight for new ones</th><th scope="col">Free space</th></tr></thead>
      <tbody>${storages.map(storageRow)}</tbody>
    </table>
    <h2>Move repositories</h2>
    ${storages.length > 1 ? moveForm(request, storages, form) : html`<p class="empty">There is one storage. Add another to <code>REPOSITORY_STORAGES</code>, such as <code>default:/srv/git,second:/mnt/git</code>, and restart.</p>`}
    ${bulks.length > 0 && html`<ul class="rows">${bulks.map(progress => bulkRow(progress, now))}</ul>`}
    ${failed.length > 0 && html`<h2>Failed moves</h2><ul class="rows">${failed.map(move => failedRow(request, move, now))}</ul>`}
    <h2>Container images</h2>
    ${registryUrl ? html`<p>They are stored in the registry at <code>${registryUrl}</code>.</p>` : html`<p class="empty">No container registry is configured, so projects have no images. Set <code>REGISTRY_URL</code> and restart.</p>`}`
}

function storageRow({ name, repositories, weight, problem, freeBytes = 0, totalBytes = 0 }: StorageState) {
  return html`
    <tr>
      <th scope="row">${name}</th>
      <td data-label="Repositories">${count(repositories)}</td>
      <td data-label="Weight for new ones">${weight}</td>
      <td data-label="Free space"${problem && html` class="bad"`}>${problem ?? `${gibibytes(freeBytes)} of ${gibibytes(totalBytes)}`}</td>
    </tr>`
}

function moveForm(request: FastifyRequest, storages: StorageState[], form: Form<typeof MoveForm>) {
  const isRefused = form.error('destination', { reasons: ['base', 'source_storage_name', 'destination_storage_name'] })
  const names = storages.map(({ name }) => [name, name] as [string, string])

  return form.render(
    request,
    { action: '/admin/storages/moves', class: 'inline' },
    html`
      ${form.select('kind', { label: 'All', invalid: 'Choose what to move.', options: kinds.map(kind => [kind, `${kind}s`]) })}
      ${form.select('source', { label: 'from', options: names })}
      ${form.select('destination', { label: 'to', error: isRefused && 'Choose two different storages.', options: [['', 'others, by weight'], ...names] })}
      <button data-confirm="Each repository is read-only while it moves.">Move</button>`
  )
}

function bulkRow({ bulk, counts, done, secondsLeft }: BulkProgress, now: Date) {
  const { kind, sourceStorage, destinationStorage, total, skipped, finishedAt } = bulk
  const title = `${count(total)} ${kind}s from ${sourceStorage} to ${destinationStorage ?? 'others'}`

  return html`
    <li>
      <div>
        <p><strong>${title}</strong> ${finishedAt ? 'finished' : 'begun'} ${ago(finishedAt ?? bulk.createdAt, now)}</p>
        ${!finishedAt && html`<progress max="${Math.max(1, total)}" value="${done}" aria-label="${title}"></progress>`}
        <p class="hint">${count(counts.finished)} moved, ${count(counts.failed)} failed, ${count(skipped)} skipped, ${count(Math.max(0, total - done))} left${!finishedAt && secondsLeft !== undefined && html` · ${timeLeft(secondsLeft)}`}</p>
      </div>
    </li>`
}

function failedRow(
  request: FastifyRequest,
  { id, state, sourceStorage, destinationStorage, errorMessage, updatedAt, repositoryId }: StorageMove,
  now: Date
) {
  return html`
    <li>
      <div>
        <p><strong>Repository ${repositoryId}</strong> from ${sourceStorage} to ${destinationStorage} ${ago(updatedAt, now)}</p>
        <p class="hint">${state === 'failed' ? 'It was not moved.' : 'It was moved, but the original could not be deleted.'} <q>${errorMessage}</q></p>
      </div>
      ${state === 'failed' && formOf(request, { action: `/admin/storages/moves/${id}/again` }, html`<button class="plain">Schedule again</button>`)}
    </li>`
}

function gibibytes(bytes: number) {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
