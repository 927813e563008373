import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { receiveEnvelopes } from '../jobs.ts'
import type { ClientKey } from './client-key.ts'

/** Enqueues an error as an SDK with this key sends it, and returns the id of the event. */
export async function sendTestEvent({ backlog, batches }: FastifyInstance['platform'], { id: keyId, projectId }: ClientKey) {
  backlog.refuseWhenFull(receiveEnvelopes.queue, projectId)
  const id = randomUUID().replaceAll('-', '')
  const receivedAt = new Date().toISOString()
  const body = Buffer.from(JSON.stringify({ ...testEvent, event_id: id, timestamp: receivedAt }))

  await batches.add(receiveEnvelopes, { projectId, keyId, receivedAt, id, encoding: '', kind: 'store', body })

  return id
}

const testEvent = {
  platform: 'javascript',
  level: 'error',
  environment: 'test',
  release: 'test@1.0.0',
  tags: { test: 'yes' },
  exception: {
    values: [
      {
        type: 'TestError',
        value: 'This is a test event from the setup page',
        stacktrace: {
          frames: [
            {
              function: 'main',
              filename: 'app.js',
              abs_path: '/srv/app.js',
              lineno: 3,
              colno: 1,
              in_app: true,
              context_line: 'checkOut(cart)'
            },
            {
              function: 'checkOut',
              filename: 'cart.js',
              abs_path: '/srv/cart.js',
              lineno: 21,
              colno: 9,
              in_app: true,
              pre_context: ['export function checkOut (cart) {', '  if (!cart.isPaid) {'],
              context_line: "    throw new TestError('This is a test event from the setup page')",
              post_context: ['  }', '}']
            }
          ]
        }
      }
    ]
  }
}
