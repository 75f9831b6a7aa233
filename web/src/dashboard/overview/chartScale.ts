/** A round number above the largest value, and the lines to draw, the highest first. */
export function chartScale(largest: number): { top: number; lines: number[] } {
  if (!(largest > 0)) return { top: 1, lines: [0] }
  const magnitude = 10 ** Math.floor(Math.log10(largest))
  const step = [0.2, 0.25, 0.5, 1, 2, 2.5, 5].find((each) => largest / (each * magnitude) <= 4) ?? 5
  const count = Math.ceil(largest / (step * magnitude))
  const lines = Array.from({ length: count + 1 }, (_, index) =>
    Number(((count - index) * step * magnitude).toPrecision(12)),
  )
  return { top: lines[0] ?? 1, lines }
}
