import type { FastifyInstance } from 'fastify'
import { runnerPages } from '../runners/pages/runner-pages.ts'
import { variablePages } from '../variables/variable-pages.ts'
import { jobPage } from './job.ts'
import { jobActions } from './job-actions.ts'
import { newPipelinePage } from './new-pipeline.ts'
import { pipelinePage } from './pipeline.ts'
import { pipelinesPage } from './pipeline-list.ts'

export async function ciPages(app: FastifyInstance) {
  for (const page of [pipelinesPage, newPipelinePage, pipelinePage, jobPage, jobActions, runnerPages, variablePages])
    await app.register(page)
}
