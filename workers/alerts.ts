import { receiveAlerts } from '../src/alerts/jobs.ts'
import { receive } from '../src/alerts/receive.ts'
import { handle } from '../src/platform/worker.ts'

export const alerts = [handle(receiveAlerts, (items, { em, sendReceipt }) => receive(em, items, sendReceipt))]
