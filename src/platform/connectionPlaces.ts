import { isWithin, networkOf, siteOf } from './addresses.ts'

export interface PlaceLimits {
  connections: number
  /** Of one network; `exempt` networks (proxies, which stand for many clients) are not counted. */
  perNetwork: number
  exempt: readonly string[]
}

export type RefusedConnection = 'connections' | 'connections_of_network'

/** What a connection that was taken holds. After `leave` the others do nothing. */
export interface Place {
  /** A request has begun: until all have ended, the connection keeps its place. */
  begin(): void
  end(): void
  leave(): void
}

export interface ConnectionPlaces {
  /** @param giveUp called when the connection, which has no request under way, has lost its place to a newcomer */
  take(address: string, giveUp: () => void): Place | RefusedConnection
  open(): number
}

/** An IPv6 /48 may have as many as so many networks: one customer often has all of it, and sometimes many share it. */
const networksOfSite = 5

interface Connection {
  /** The names of its network and site; empty for an exempt one. */
  of: string[]
  underWay: number
  giveUp(): void
  leave(): void
}

/**
 * Who may be connected. What a network may hold shrinks by the square of what the others leave, to one: hundreds of networks are needed to take
 * all places, whatever they do with their connections. (Half of what is free, for example, is all taken by eighteen, one after the other.) Where
 * all are taken, a network that holds none gets the place of a connection that has no request under way.
 */
export function connectionPlaces({ connections, perNetwork, exempt }: PlaceLimits): ConnectionPlaces {
  let open = 0
  const held = new Map<string, number>()
  /** Those without a request that are counted; the one that has been so for longest comes first. */
  const idle = new Set<Connection>()
  const heldBy = (name: string) => held.get(name) ?? 0

  /** Of the network with the most connections, the one that has been without a request for longest. */
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
        return heldBy(name) >= Math.max(1, (name === site ? networksOfSite : 1) * perNetwork * leftByOthers ** 2)
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
