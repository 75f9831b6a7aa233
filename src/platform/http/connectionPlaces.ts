import { isWithin, networkOf, siteOf } from '../addresses.ts'

export interface PlaceLimits {
  connections: number
  /** Per network; `exempt` networks (proxies, which stand for many clients) are not counted. */
  perNetwork: number
  exempt: readonly string[]
}

export type RefusedConnection = 'connections' | 'connections_of_network'

/** The place of an accepted connection. After `leave` the other methods do nothing. */
export interface Place {
  /** A request starts: the connection keeps its place until all have ended. */
  begin(): void
  end(): void
  leave(): void
}

export interface ConnectionPlaces {
  /** @param giveUp called when an idle connection loses its place to a newcomer */
  take(address: string, giveUp: () => void): Place | RefusedConnection
  open(): number
}

/**
 * An IPv6 /48 may have as many connections as this many networks: it often belongs to one customer, sometimes
 * to many.
 */
const networksOfSite = 5

interface Connection {
  /** Its network and site; empty for an exempt connection. */
  of: string[]
  underWay: number
  giveUp(): void
  leave(): void
}

/**
 * Decides which connections are accepted. The limit of a network shrinks with the square of the share that
 * others leave free, down to one: taking all places needs hundreds of networks. (With half of the free places
 * as the limit, 18 networks one after the other would take all.) When all places are taken, a network without
 * a connection gets the place of an idle one.
 */
export function connectionPlaces({ connections, perNetwork, exempt }: PlaceLimits): ConnectionPlaces {
  let open = 0
  const held = new Map<string, number>()
  /** Counted connections without a request, the longest idle first. */
  const idle = new Set<Connection>()
  const heldBy = (name: string) => held.get(name) ?? 0

  /** Closes the longest idle connection of the network with the most connections. */
  function makeRoom(): boolean {
    let found: Connection | null = null
    let max = 0
    for (const connection of idle) {
      const size = Math.max(...connection.of.map(heldBy))
      if (size > max) [found, max] = [connection, size]
    }
    found?.leave()
    found?.giveUp()
    return found !== null
  }

  function hold(of: readonly string[], change: 1 | -1): void {
    open += change
    for (const name of of) {
      const left = heldBy(name) + change
      if (left === 0) held.delete(name)
      else held.set(name, left)
    }
  }

  return {
    open: () => open,
    take(address, giveUp) {
      const network = networkOf(address)
      const site = siteOf(address)
      const of = isWithin(address, exempt) ? [] : [network, ...(site === null ? [] : [site])]
      const free = connections - open
      const isOver = (name: string) => {
        const leftByOthers = (free + heldBy(name)) / connections
        return (
          heldBy(name) >= Math.max(1, (name === site ? networksOfSite : 1) * perNetwork * leftByOthers ** 2)
        )
      }
      if (of.some(isOver)) return 'connections_of_network'
      if (free <= 0 && !makeRoom()) return 'connections'

      let here = true
      const rest = () => void (of.length > 0 && idle.add(connection))
      const connection: Connection = {
        of,
        underWay: 0,
        giveUp,
        leave() {
          if (here) hold(of, -1)
          here = false
          idle.delete(connection)
        },
      }
      hold(of, 1)
      rest()
      return {
        begin() {
          connection.underWay++
          idle.delete(connection)
        },
        end() {
          connection.underWay--
          if (here && connection.underWay === 0) rest()
        },
        leave: connection.leave,
      }
    },
  }
}
