/** A session in the order of lists: by time, and of one moment by id. */
export interface Place {
  id: string
  /** Microseconds. */
  at: number
}

export const isBefore = (a: Place, b: Place): boolean => (a.at === b.at ? a.id < b.id : a.at < b.at)

/** The select list of a place. */
export const placeColumns = 'id, (extract(epoch from created_at) * 1000000)::bigint::float8 as at'

/** Several walks in one order as one, each place once. */
export async function* merged(
  walks: readonly AsyncGenerator<Place[]>[],
  sort: 'ASC' | 'DESC',
): AsyncGenerator<Place> {
  const heads = await Promise.all(walks.map((walk) => headOf(walk)))
  let last: string | undefined
  for (;;) {
    const left = heads.filter((head) => head.place !== undefined) as { place: Place; next(): Promise<void> }[]
    const [one, ...others] = left
    if (!one) return
    const first = others.reduce(
      (best, each) => (isBefore(each.place, best.place) === (sort === 'ASC') ? each : best),
      one,
    )
    const { place } = first
    await first.next()
    if (place.id !== last) yield place
    last = place.id
  }
}

async function headOf(walk: AsyncGenerator<Place[]>) {
  let places: Place[] = []
  let index = -1
  const head: { place: Place | undefined; next(): Promise<void> } = {
    place: undefined,
    async next() {
      index++
      while (index >= places.length) {
        const { value, done } = await walk.next()
        if (done) {
          head.place = undefined
          return
        }
        places = value
        index = 0
      }
      head.place = places[index]
    },
  }
  await head.next()
  return head
}
