import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

export const MetricImageSchema = defineEntity({
  name: 'AlertMetricImage',
  tableName: 'alert_metric_images',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    alertId: p.bigint('number'),
    filename: p.text(),
    contentType: p.text(),
    size: p.integer(),
    /** The file's path below the image folder. */
    storedAs: p.text(),
    url: p.text().nullable(),
    urlText: p.text().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A chart that a user attached to an alert. */
export class MetricImage extends MetricImageSchema.class {}

MetricImageSchema.setClass(MetricImage)
