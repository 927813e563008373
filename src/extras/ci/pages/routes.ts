import type { FastifyInstance } from 'fastify'
import { variablePages } from '../variables/variable-pages.ts'
import { jobPage } from './job.ts'
import { newPipelinePage } from './new-pipeline.ts'
import { pipelinePage } from './pipeline.ts'
import { pipelinesPage } from './pipeline-list.ts'

export async function ciPages(app: FastifyInstance) {
  for (const page of [pipelinesPage, newPipelinePage, pipelinePage, jobPage, variablePages]) await app.register(page)
}
