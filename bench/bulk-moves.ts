import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { System } from './system.ts'

/**
 * Moves 10,000 projects to another storage by one request, and prints how long the request and all moves take, how many were open
 * at once, and the memory. One in a hundred has a commit, the others were never written to.
 *
 *     PROJECTS=10000 MOVES_QUEUE=redis npm run bench bulk-moves
 */
const projects = Number(process.env.PROJECTS ?? 10_000)
const files = mkdtempSync(join(tmpdir(), 'tocsin-bulk-moves-'))

process.env.REPOSITORY_STORAGES = `near:${files}/near,far:${files}/far`
process.env.REPOSITORY_STORAGE_WEIGHTS = 'far:0'

const system = new System(process.env.MOVES_QUEUE === 'redis' ? 'redis' : 'postgres')

try {
  await system.start()
  await fill()
  const before = { web: system.memory('web').now, worker: system.memory('worker').now }
  const begunAt = performance.now()
  const { status } = await call('POST', '/project_repository_storage_moves', {
    source_storage_name: 'near',
    destination_storage_name: 'far'
  })
  const answered = performance.now() - begunAt
  const openAtOnce = await untilMoved()

  console.log({
    projects,
    status,
    answeredInMs: Math.round(answered),
    movedInSeconds: Math.round((performance.now() - begunAt) / 1000),
    openAtOnce,
    memoryBefore: before,
    memoryAtMost: { web: system.memory('web').peak, worker: system.memory('worker').peak },
    ...(await count())
  })
} finally {
  await system.stop()
  rmSync(files, { recursive: true, force: true })
}

function call(method: string, path: string, body: object) {
  return fetch(`http://127.0.0.1:${system.port}/api/v4${path}`, {
    method,
    headers: { 'private-token': system.token, 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
}

async function fill() {
  await system.db.query(
    `WITH added AS (INSERT INTO projects (namespace_id, name, path, full_path)
       SELECT n.namespace_id, 'Project ' || i, 'bulk-' || i, 'root/bulk-' || i
       FROM (SELECT namespace_id FROM projects ORDER BY id LIMIT 1) n, generate_series(1, $1::int) i RETURNING id)
     INSERT INTO repositories (project_id, storage, path) SELECT id, 'near', substr(md5(id::text), 1, 2) || '/' || id || '.git' FROM added`,
    [projects]
  )
  const { rows } = await system.db.query(`SELECT project_id FROM repositories WHERE path LIKE '__/%' AND project_id % 100 = 0`)

  for (const { project_id: id } of rows) {
    const { status } = await call('POST', `/projects/${id}/repository/files/readme`, {
      branch: 'main',
      content: `${id}`,
      commit_message: 'First'
    })

    if (status !== 201) throw new Error(`a commit to project ${id}: ${status}`)
  }
}

/** Returns the highest number of moves that were open at once. */
async function untilMoved() {
  for (let peak = 0; ; ) {
    const { rows } = await system.db.query(
      `SELECT (SELECT count(*) FROM repository_storage_moves WHERE state IN ('scheduled', 'started', 'replicated')) AS open,
              (SELECT count(*) FROM repository_bulk_moves WHERE finished_at IS NULL) AS bulks`
    )

    peak = Math.max(peak, Number(rows[0].open))
    if (rows[0].bulks === '0') return peak
    await sleep(200)
  }
}

async function count() {
  const { rows } = await system.db.query(
    `SELECT count(*) FILTER (WHERE storage = 'near') AS left, count(*) FILTER (WHERE is_read_only) AS "readOnly" FROM repositories WHERE project_id IS NOT NULL`
  )
  const directories = execFileSync('find', [files, '-name', '*.git', '-path', '*/near/*']).toString()

  return { left: Number(rows[0].left), readOnly: Number(rows[0].readOnly), directoriesLeft: directories.split('\n').length - 1 }
}
