import type { openCiProject } from './ci-project.ts'

type World = Awaited<ReturnType<typeof openCiProject>>

/** A runner that sends what gitlab-runner sends. */
export async function aRunner({ app, rest, project }: Pick<World, 'app' | 'rest' | 'project'>, more: object = {}) {
  const { body: runner } = await rest('POST', '/user/runners', { runner_type: 'project_type', project_id: project.id, ...more })
  const send = async (method: 'POST' | 'PUT' | 'PATCH', url: string, payload: object | string, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method, url: `/api/v4${url}`, payload, headers })

    return { status: response.statusCode, headers: response.headers, body: response.body ? response.json() : undefined }
  }

  return {
    id: runner.id as number,
    token: runner.token as string,
    send,
    take: (info: object = {}) => send('POST', '/jobs/request', { token: runner.token, system_id: 's_1', info }),
    log: (job: { id: number; token: string }, from: number, text: string) =>
      send('PATCH', `/jobs/${job.id}/trace?debug_trace=false`, text, {
        'job-token': job.token,
        'content-type': 'text/plain',
        'content-range': `${from}-${from + Buffer.byteLength(text) - 1}`
      }),
    report: (job: { id: number; token: string }, state: string, rest: object = {}) =>
      send('PUT', `/jobs/${job.id}`, { token: job.token, state, ...rest })
  }
}
