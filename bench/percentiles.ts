export function percentile(figures: number[], share: number) {
  const sorted = figures.toSorted((a, b) => a - b)

  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}

export function median(figures: number[]) {
  return percentile(figures, 0.5)
}
