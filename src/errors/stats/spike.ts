export const minSpike = 20
export const spikeFactor = 3

/** The latest interval has at least `minSpike` events, and more than `spikeFactor` times the peak of the intervals before. */
export function isSpiking(frequency: [number, number][]) {
  const counts = frequency.map(([, events]) => events)
  const latest = counts.pop() ?? 0
  const peak = Math.max(0, ...counts)

  return latest >= minSpike && peak > 0 && latest > spikeFactor * peak
}
