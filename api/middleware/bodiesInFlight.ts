import { tooManyRequests } from '../../src/limits/tooManyRequests.ts'
import { ApiError } from '../../src/platform/errors.ts'

/** Whose body it is. */
export interface BodyOwner {
  /** A business, an account or a network. */
  of: string
  /** No credential was asked for. */
  isPublic: boolean
}

/** The bytes of all bodies that one process holds: of requests that are read, and of those that are carried out. */
export interface BodiesInFlight {
  /**
   * Reserves what a body may have before any of it is read.
   * @returns gives it back; may be called twice
   * @throws ApiError 503 `overloaded`; 429 where the caller alone holds too much
   */
  reserve(bytes: number, owner: BodyOwner): () => void
  bytes(): number
}

/** Of all bytes: what one caller may hold, and what all may that have sent no credential. */
const [shareOfOne, shareOfPublic] = [1 / 4, 1 / 2]

/** @param maxBytes of all together; one body is taken by a process that holds no other, however large its operation allows it to be */
export function bodiesInFlight(maxBytes: number, refused: (reason: 'bodies' | 'bodies_of_caller') => void = () => {}): BodiesInFlight {
  let held = 0
  let heldPublic = 0
  const heldBy = new Map<string, number>()
  const fits = (others: number, bytes: number, most: number) => others === 0 || others + bytes <= most
  return {
    bytes: () => held,
    reserve(bytes, { of, isPublic }) {
      const own = heldBy.get(of) ?? 0
      if (!fits(own, bytes, maxBytes * shareOfOne)) {
        refused('bodies_of_caller')
        throw tooManyRequests({ resetSeconds: 1 })
      }
      if (!fits(held, bytes, maxBytes) || (isPublic && !fits(heldPublic, bytes, maxBytes * shareOfPublic))) {
        refused('bodies')
        throw overloaded()
      }
      const hold = (change: number) => {
        held += change
        if (isPublic) heldPublic += change
        const left = (heldBy.get(of) ?? 0) + change
        if (left === 0) heldBy.delete(of)
        else heldBy.set(of, left)
      }
      hold(bytes)
      let given = false
      return () => {
        if (!given) hold(-bytes)
        given = true
      }
    },
  }
}

const overloaded = (): ApiError => new ApiError(503, 'overloaded', 'Too many requests are being read right now', { retryAfterSeconds: 1 })
