/** The bottom of a chart of crash-free rates, in steps of 5 %. */
export function lowestRate(series: { values: (number | undefined)[] }[]) {
  const lowest = Math.min(1, ...series.flatMap(({ values }) => values.filter(value => value !== undefined)))

  return Math.min(0.95, Math.floor(lowest * 20) / 20)
}
