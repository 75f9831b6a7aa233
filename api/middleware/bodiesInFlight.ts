import { ApiError } from '../../src/platform/errors.ts'
import { tooManyRequests } from '../../src/rateLimits/tooManyRequests.ts'

/** The owner of a body. */
export interface BodyOwner {
  /** A business, an account or a network. */
  of: string
  /** The operation takes no credential. */
  isPublic: boolean
}

/** The memory of one body. */
export interface BodyHold {
  /**
   * Raises the hold to `bytes`.
   * @throws ApiError 503 `overloaded`; 429 if this caller alone holds too much
   */
  grow(bytes: number): void
  /** The body is complete: it no longer gives way to others. */
  arrived(): void
  /** Gives everything back; may be called twice. */
  release(): void
}

/** Limits the bytes of all bodies in a process: of requests being read and of requests being handled. */
export interface BodiesInFlight {
  /**
   * Registers a body, which holds nothing yet: an announced body takes no memory from others.
   * @param giveWay called with the reason when this unfinished body has to give its memory to a caller who
   * holds less
   */
  begin(owner: BodyOwner, giveWay: (reason: ApiError) => void): BodyHold
  bytes(): number
}

/** Shares of all bytes: for one caller, and for all callers without a credential. */
const [shareOfOne, shareOfPublic] = [1 / 4, 1 / 2]

interface Body extends BodyOwner {
  bytes: number
  giveWay(reason: ApiError): void
}

/** @param maxBytes of all bodies together; an idle process takes one body of any allowed size */
export function bodiesInFlight(
  maxBytes: number,
  refused: (reason: 'bodies' | 'bodies_of_caller') => void = () => {},
): BodiesInFlight {
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

  /** The largest unfinished body of the caller that holds the most, if that is more than `bytes`. */
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
      // Slow senders must not keep out a caller who holds less.
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

const overloaded = (): ApiError =>
  new ApiError(503, 'overloaded', 'Too many requests are being read right now', { retryAfterSeconds: 1 })
