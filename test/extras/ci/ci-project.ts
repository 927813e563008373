import type { Test } from 'tap'
import { openCodeProject } from '../../git-http/code.ts'
import type { WorldOptions } from '../../support/world.ts'

/** A project whose repository has this configuration. */
export async function openCiProject(t: Test, config: string, options: WorldOptions = {}) {
  const world = await openCodeProject(t, {}, options)
  const path = `/projects/${world.project.id}`
  const call = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, token?: string | null) =>
    world.call(method, `${path}${url}`, body, token)
  const run = async (more: object = {}) => {
    const { status, body } = await call('POST', '/pipeline', { ref: 'main', ...more })

    if (status !== 201) throw new Error(JSON.stringify(body))

    return body
  }
  const jobsOf = async ({ id }: { id: number }) =>
    (await call('GET', `/pipelines/${id}/jobs?per_page=100`)).body as Record<string, unknown>[]
  const statuses = async (pipeline: { id: number }) =>
    Object.fromEntries((await jobsOf(pipeline)).map(({ name, status }) => [name, status]))
  const idOf = async (pipeline: { id: number }, name: string) => (await jobsOf(pipeline)).find(job => job.name === name)!.id as number

  await world.commit({ '.gitlab-ci.yml': config })

  return { ...world, rest: world.call, call, run, jobsOf, statuses, idOf }
}
