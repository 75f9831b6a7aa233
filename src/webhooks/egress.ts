import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { canonicalAddress, canonicalNetwork, isPublicAddress, isWithin } from '../platform/addresses.ts'
import { Agent, buildConnector, type Dispatcher } from '../platform/undici.ts'
import { pause } from '../platform/wait.ts'
import { connectThrough, parseProxy } from './egressProxy.ts'
import { firstConnected } from './firstConnected.ts'

/** A receiver's name or address leads inside, or nowhere. The message says neither which nor where: what is inside is nobody's outside. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('the host has no address of the internet')
    this.name = 'ForbiddenAddressError'
  }
}

export interface EgressOptions {
  /** What may be dialled although it is inside: host names (they may lead anywhere), addresses, networks in CIDR notation (whatever name led there). */
  allow: readonly string[]
  /** `http://[user:password@]host:port` of a proxy that makes the connections; it may be inside. */
  proxyUrl: string | null
  /** For all of a connection: its name, the proxy, TCP, TLS. */
  timeoutMs: number
  /** All addresses of a name; those of DNS unless given, and for names in `allow` what the system knows. */
  lookup?: (name: string) => Promise<string[]>
  /** This machine's own addresses; its network interfaces' unless given. */
  ownAddresses?: () => string[]
}

export interface Egress {
  dispatcher: Dispatcher
  /** Lets requests that were made finish; takes no more. */
  close(): Promise<void>
}

/** RFC 8305 §3: how long the addresses of one family wait for those of the other. */
const otherFamilyMs = 250

/** How many addresses of a name are tried: one that answers with a thousand is not to make a scanner of us. */
const maxTried = 6

/**
 * A dispatcher that connects to addresses of the internet only. It is the address dialled that is judged, at every new connection: what
 * the name led to before, or leads to for others, counts for nothing. Requests fail with `ForbiddenAddressError` before anything is dialled.
 * @throws where `allow` holds a network that is none, or `proxyUrl` is no such URL
 */
export function createEgress(options: EgressOptions): Egress {
  const { timeoutMs, lookup = askDns(timeoutMs), ownAddresses = interfaceAddresses } = options
  const allowed = parseAllowed(options.allow)
  const proxy = options.proxyUrl === null ? null : parseProxy(options.proxyUrl)
  // Its own clock is off: one deadline holds for the whole of a connection.
  const secure = buildConnector({ allowH2: false, timeout: 0 })

  const mayDial = (address: string): boolean => {
    if (isWithin(address, allowed.networks)) return true
    const canonical = canonicalAddress(address)
    return isPublicAddress(address) && canonical !== null && !ownAddresses().some((own) => canonicalAddress(own) === canonical)
  }

  async function connect(target: buildConnector.Options, signal: AbortSignal): Promise<Socket> {
    const name = target.hostname.toLowerCase().replace(/\.$/, '')
    const anywhere = allowed.names.has(name)
    const resolve = anywhere && !options.lookup ? askSystem : lookup
    const found = isIP(name) ? [name] : await unless(signal, anywhere ? resolve(target.hostname) : knownTo(resolve, target.hostname))
    const addresses = found.filter((address) => isIP(address) && (anywhere || mayDial(address)))
    if (addresses.length === 0) throw new ForbiddenAddressError()
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    const tcp = await firstConnected(addresses.slice(0, maxTried), signal, async (address, dialling) => {
      if (proxy) return connectThrough(proxy, address, port, dialling)
      const socket = await dial(address, port, dialling)
      // What was reached in the end: nothing between the check above and the system may have made another address of it.
      if (anywhere || mayDial(socket.remoteAddress ?? '')) return socket
      socket.destroy()
      throw new ForbiddenAddressError()
    })
    if (target.protocol !== 'https:') return tcp
    try {
      return await unless(signal, overTls(secure, { ...target, ...(isIP(name) ? {} : { servername: name }), httpSocket: tcp }))
    } catch (error) {
      tcp.destroy()
      throw error
    }
  }

  const agent = new Agent({
    // Without a limit of connections to an origin: tenants share hosts, and what is capped is each endpoint.
    connections: null,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 16_384,
    // undici hears a request's signal only once there is a connection: until then this clock is the only one.
    connect: (target, callback) => {
      const controller = new AbortController()
      const timer = setTimeout(() => controller.abort(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs)
      connect(target, controller.signal)
        .finally(() => clearTimeout(timer))
        .then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        )
    },
  })
  return { dispatcher: agent, close: () => agent.close() }
}

export interface Allowed {
  names: ReadonlySet<string>
  networks: readonly string[]
}

/** @throws where an entry looks like a network and is none */
export function parseAllowed(entries: readonly string[]): Allowed {
  const [names, networks] = [new Set<string>(), [] as string[]]
  for (const entry of entries.map((text) => text.trim().toLowerCase())) {
    const parsed = canonicalNetwork(entry)
    if ('network' in parsed) networks.push(parsed.network)
    // A network with a mistake in it must not pass for a name that nobody has.
    else if (entry === '' || /[/:]/.test(entry)) throw new Error(`${entry || 'an empty entry'} ${parsed.problem}`)
    else names.add(entry.replace(/\.$/, ''))
  }
  return { names, networks }
}

/** Whether the host of a URL is named there itself. What a name leads to is another question. */
export function isAllowed({ names, networks }: Allowed, hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? isWithin(host, networks) : names.has(host.toLowerCase().replace(/\.$/, ''))
}

/** A name that is known to nobody counts as one that leads inside: the difference would tell a tenant which names exist there. */
const knownTo = (resolve: (name: string) => Promise<string[]>, name: string): Promise<string[]> => resolve(name).catch(() => [])

/** By the hosts file, too. */
const askSystem = async (name: string): Promise<string[]> => (await systemLookup(name, { all: true })).map(({ address }) => address)

/**
 * By DNS alone. The system's own lookup has four threads for all of the process: a few names whose servers are silent would hold up
 * every other name.
 */
export function askDns(timeoutMs: number, servers?: readonly string[]): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const known: string[][] = [[], []]
    const questions = [resolver.resolve4(name), resolver.resolve6(name)].map(async (question, family) => {
      known[family] = await question
    })
    const all = Promise.allSettled(questions)
    // Some name servers drop questions about a family that they know nothing of: what the other one has is enough.
    const enough = new AbortController()
    await Promise.any(questions).catch(() => undefined)
    await Promise.race([all, pause(otherFamilyMs, enough.signal)])
    enough.abort()
    const addresses = known.flat()
    const failure = addresses.length > 0 ? undefined : (await all).find((answer) => answer.status === 'rejected')
    if (failure) throw failure.reason
    return addresses
  }
}

const interfaceAddresses = (): string[] => Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))

function dial(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 })
    const give = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', give, { once: true })
    // The listener stays: until the connection is handed on, an error without one would end the process.
    socket.on('error', fail).once('connect', () => {
      signal.removeEventListener('abort', give)
      done(socket)
    })
  })
}

const overTls = (secure: buildConnector.connector, target: buildConnector.Options): Promise<Socket> =>
  new Promise((done, fail) => secure(target, (error, socket) => (socket ? done(socket) : fail(error))))

/** Fails as soon as the signal does, whether or not the work can be stopped. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const give = () => fail(signal.reason)
    signal.addEventListener('abort', give, { once: true })
    work.then(done, fail).finally(() => signal.removeEventListener('abort', give))
  })
}
