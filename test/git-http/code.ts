import type { Test } from 'tap'
import { openApp, rootToken, type WorldOptions } from '../support/world.ts'

/** A project with a repository. */
export async function openCodeProject(t: Test, settings: object = {}, options: WorldOptions = {}) {
  const world = await openApp(t, options)
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop', ...settings })
  const path = `/projects/${project.id}/repository`
  const code = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, token?: string | null) =>
    world.call(method, `${path}${url}`, body, token)
  /** Creates or changes files, by their paths; null deletes. */
  const commit = async (files: Record<string, string | null>, { branch = 'main', ...more }: Record<string, unknown> = {}) => {
    const existing = await paths(String(more.start_branch ?? branch))
    const actions = Object.entries(files).map(([path, content]) => ({
      action: content === null ? 'delete' : existing.has(path) ? 'update' : 'create',
      file_path: path,
      ...(content !== null && { content })
    }))
    const { status, body } = await code('POST', '/commits', { branch, commit_message: 'Change files', actions, ...more })

    if (status !== 201) throw new Error(JSON.stringify(body))

    return body
  }
  const paths = async (ref: string) => {
    const { body } = await code('GET', `/tree?recursive=true&per_page=100&ref=${encodeURIComponent(ref)}`)

    return new Set(Array.isArray(body) ? body.map(({ path }: { path: string }) => path) : [])
  }
  const get = (url: string, headers: Record<string, string> = { 'private-token': rootToken }) =>
    world.app.inject({ url: `/api/v4${path}${url}`, headers })

  return { ...world, project, code, commit, get }
}
