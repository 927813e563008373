const hour = 3600

/** Samples are kept at falling resolution: some 1,200 rows, however long the installation runs. */
export const levels = [
  { seconds: 60, keptSeconds: 2 * hour },
  { seconds: 600, keptSeconds: 49 * hour },
  { seconds: hour, keptSeconds: 31 * 24 * hour }
] as const

export const [minutely, ofTenMinutes, hourly] = levels

export function startOf({ seconds }: { seconds: number }, at: Date) {
  return new Date(Math.floor(at.getTime() / (seconds * 1000)) * seconds * 1000)
}

export function secondsBefore(at: Date, seconds: number) {
  return new Date(at.getTime() - seconds * 1000)
}
