import { defineEntity, p } from '@mikro-orm/core'

const MetricImageSchema = defineEntity({
  name: 'AlertMetricImage',
  tableName: 'alert_metric_images',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    alertId: p.bigint('number'),
    filename: p.text(),
    contentType: p.text(),
    size: p.integer(),
    /** Its path below the data directory. */
    storedAs: p.text(),
    url: p.text().nullable(),
    urlText: p.text().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** A picture of a chart, which somebody found worth keeping with an alert. */
export class MetricImage extends MetricImageSchema.class {}

MetricImageSchema.setClass(MetricImage)
