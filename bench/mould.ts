/** An answer is a copy and some hundred small writes: the node shares its cores with who is measured, and must need little of them. */
export interface Mould<Hole extends string> {
  bytes: Buffer
  at: { from: number; hole: Hole }[]
}

/** What differs from what was recorded, and what stands in its place in a mould: of the same length, and nowhere else. */
export type Holes<Hole extends string> = Readonly<Record<Hole, string>>

export function mouldOf<Hole extends string>(holes: Holes<Hole>, text: string): Mould<Hole> {
  const bytes = Buffer.from(text)
  const at = (Object.keys(holes) as Hole[]).flatMap((hole) => {
    const places: Mould<Hole>['at'] = []
    for (let from = bytes.indexOf(holes[hole]); from >= 0; from = bytes.indexOf(holes[hole], from + 1)) places.push({ from, hole })
    return places
  })
  return { bytes, at }
}

/** @throws where a value is longer or shorter than its hole */
export function cast<Hole extends string>(holes: Holes<Hole>, { bytes, at }: Mould<Hole>, values: Readonly<Record<Hole, string>>): Buffer {
  const written = Object.fromEntries((Object.keys(holes) as Hole[]).map((hole) => [hole, Buffer.from(values[hole])])) as Record<Hole, Buffer>
  for (const hole of Object.keys(holes) as Hole[]) {
    if (written[hole].length !== holes[hole].length) throw new Error(`${values[hole]} does not fit into an answer as ${hole}`)
  }
  const answer = Buffer.from(bytes)
  for (const { from, hole } of at) written[hole].copy(answer, from)
  return answer
}
