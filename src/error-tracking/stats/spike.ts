export const minSpike = 20
export const spikeFactor = 3

/** The latest interval has many events, and several times as many as any interval before. */
export function isSpiking(frequency: [number, number][]) {
  const counts = frequency.map(([, events]) => events)
  const latest = counts.pop() ?? 0
  const peak = Math.max(0, ...counts)

  return latest >= minSpike && peak > 0 && latest > spikeFactor * peak
}
