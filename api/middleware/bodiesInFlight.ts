import { tooManyRequests } from '../../src/limits/tooManyRequests.ts'
import { ApiError } from '../../src/platform/errors.ts'

/** Whose body it is. */
export interface BodyOwner {
  /** A business, an account or a network. */
  of: string
  /** No credential was asked for. */
  isPublic: boolean
}

/** What one body holds. */
export interface BodyHold {
  /**
   * Holds so many bytes from now on, which are more than before.
   * @throws ApiError 503 `overloaded`; 429 where the caller alone holds too much
   */
  grow(bytes: number): void
  /** All of it is here: from now on it gives way to no other. */
  arrived(): void
  /** Gives everything back; may be called twice. */
  release(): void
}

/** The bytes of all bodies that one process holds: of requests that are read, and of those that are carried out. */
export interface BodiesInFlight {
  /**
   * Begins a body, which holds nothing yet: what was announced and has not come keeps no memory from others.
   * @param giveWay called with the reason when the body, which is still arriving, had to give its memory to a caller who holds less
   */
  begin(owner: BodyOwner, giveWay: (reason: ApiError) => void): BodyHold
  bytes(): number
}

/** Of all bytes: what one caller may hold, and what all may that have sent no credential. */
const [shareOfOne, shareOfPublic] = [1 / 4, 1 / 2]

interface Body extends BodyOwner {
  bytes: number
  giveWay(reason: ApiError): void
}

/** @param maxBytes of all together; one body is taken by a process that holds no other, however large its operation allows it to be */
export function bodiesInFlight(maxBytes: number, refused: (reason: 'bodies' | 'bodies_of_caller') => void = () => {}): BodiesInFlight {
  let held = 0
  let heldPublic = 0
  const heldBy = new Map<string, number>()
  const arriving = new Set<Body>()
  const fits = (others: number, bytes: number, max: number) => others === 0 || others + bytes <= max
  const heldOf = ({ of }: BodyOwner) => heldBy.get(of) ?? 0

  function hold(body: Body, bytes: number): void {
    const change = bytes - body.bytes
    body.bytes = bytes
    held += change
    if (body.isPublic) heldPublic += change
    const left = heldOf(body) + change
    if (left === 0) heldBy.delete(body.of)
    else heldBy.set(body.of, left)
  }

  function release(body: Body): void {
    arriving.delete(body)
    hold(body, 0)
  }

  /** Of the caller that holds the most, and more than `bytes`: its largest body that is still arriving. */
  function largestBeyond(bytes: number, publicOnly: boolean): Body | null {
    let found: Body | null = null
    for (const body of arriving) {
      if (heldOf(body) <= bytes || body.bytes === 0 || (publicOnly && !body.isPublic)) continue
      const more = found ? heldOf(body) - heldOf(found) || body.bytes - found.bytes : 1
      if (more > 0) found = body
    }
    return found
  }

  function grow(body: Body, bytes: number): void {
    const own = heldOf(body) - body.bytes
    if (!fits(own, bytes, maxBytes * shareOfOne)) {
      refused('bodies_of_caller')
      throw tooManyRequests({ resetSeconds: 1 })
    }
    const fitsAll = () => fits(held - body.bytes, bytes, maxBytes)
    while (!fitsAll() || (body.isPublic && !fits(heldPublic - body.bytes, bytes, maxBytes * shareOfPublic))) {
      refused('bodies')
      // Callers who send slowly must not keep out one who holds less.
      const other = largestBeyond(own + bytes, fitsAll())
      if (!other) throw overloaded()
      release(other)
      other.giveWay(overloaded())
    }
    hold(body, bytes)
  }

  return {
    bytes: () => held,
    begin(owner, giveWay) {
      const body = { ...owner, giveWay, bytes: 0 }
      arriving.add(body)
      return {
        grow: (bytes) => grow(body, bytes),
        arrived: () => void arriving.delete(body),
        release: () => release(body),
      }
    },
  }
}

const overloaded = (): ApiError => new ApiError(503, 'overloaded', 'Too many requests are being read right now', { retryAfterSeconds: 1 })
