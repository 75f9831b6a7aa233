import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { canonicalAddress, canonicalNetwork, isPublicAddress, isWithin } from '../platform/addresses.ts'
import { ConfigError } from '../platform/config.ts'
import { BaseError } from '../platform/errors.ts'
import { Agent, buildConnector, type Dispatcher } from '../platform/http/undici.ts'
import { pause } from '../platform/wait.ts'
import { connectThrough, parseProxy } from './egressProxy.ts'
import { firstConnected } from './firstConnected.ts'

/**
 * A receiver's host has no address that may be dialled. The message has no reason: tenants must not learn
 * about the internal network.
 */
export class ForbiddenAddressError extends BaseError {
  readonly code = 'forbidden_address'
  readonly retry = 'no'
  constructor() {
    const text = 'the host has no public address'
    super(text, { publicText: text })
  }
}

export interface EgressOptions {
  /**
   * Internal targets that may be dialled: host names (resolving to any address), addresses, networks in CIDR
   * notation (for any host name).
   */
  allow: readonly string[]
  /** `http://[user:password@]host:port` of a proxy that makes the connections; it may be internal. */
  proxyUrl: string | null
  /** For a whole connection: name resolution, proxy, TCP and TLS. */
  timeoutMs: number
  /** Resolves a name to all its addresses. Default: DNS; for names in `allow` the system's resolver. */
  lookup?: (name: string) => Promise<string[]>
  /** This machine's own addresses. Default: those of its network interfaces. */
  ownAddresses?: () => string[]
}

export interface Egress {
  dispatcher: Dispatcher
  /** Finishes running requests; accepts no more. */
  close(): Promise<void>
}

/** RFC 8305 §3: how long the addresses of one family wait for the other family's. */
const otherFamilyMs = 250

/**
 * Maximum addresses tried per name, so that a name with a thousand addresses cannot turn us into a scanner.
 */
const maxTried = 6

/**
 * Guards webhooks against server-side request forgery (SSRF): a dispatcher that connects only to public addresses.
 * Every new connection checks the address that is dialled; earlier resolutions of the name do not count.
 * Refused requests fail with `ForbiddenAddressError` before anything is dialled.
 * @throws if `allow` contains an invalid network, or `proxyUrl` is invalid
 */
export function createEgress(options: EgressOptions): Egress {
  const { timeoutMs, lookup = resolveHost(timeoutMs), ownAddresses = interfaceAddresses } = options
  const allowed = parseAllowed(options.allow)
  const proxy = options.proxyUrl === null ? null : parseProxy(options.proxyUrl)
  // Its own timeout is off: one deadline covers the whole connection.
  const secure = buildConnector({ allowH2: false, timeout: 0 })

  const mayDial = (address: string): boolean => {
    if (isWithin(address, allowed.networks)) return true
    const canonical = canonicalAddress(address)
    return (
      isPublicAddress(address) &&
      canonical !== null &&
      !ownAddresses().some((own) => canonicalAddress(own) === canonical)
    )
  }

  async function connect(target: buildConnector.Options, signal: AbortSignal): Promise<Socket> {
    const name = target.hostname.toLowerCase().replace(/\.$/, '')
    const anywhere = allowed.names.has(name)
    const resolve = anywhere && !options.lookup ? resolveBySystem : lookup
    const found = isIP(name)
      ? [name]
      : await unless(signal, anywhere ? resolve(target.hostname) : knownTo(resolve, target.hostname))
    const addresses = found.filter((address) => isIP(address) && (anywhere || mayDial(address)))
    if (addresses.length === 0) throw new ForbiddenAddressError()
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    const tcp = await firstConnected(addresses.slice(0, maxTried), signal, async (address, dialling) => {
      if (proxy) return connectThrough(proxy, address, port, dialling)
      const socket = await dial(address, port, dialling)
      // Check the address actually reached, in case the system dialled another one.
      if (anywhere || mayDial(socket.remoteAddress ?? '')) return socket
      socket.destroy()
      throw new ForbiddenAddressError()
    })
    if (target.protocol !== 'https:') return tcp
    try {
      return await unless(
        signal,
        overTls(secure, { ...target, ...(isIP(name) ? {} : { servername: name }), httpSocket: tcp }),
      )
    } catch (error) {
      tcp.destroy()
      throw error
    }
  }

  const agent = new Agent({
    // No limit of connections per origin: tenants share hosts, and the cap is per endpoint.
    connections: null,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 16_384,
    // undici observes a request's signal only after the connection is made: until then this is the only
    // timeout.
    connect: (target, callback) => {
      const controller = new AbortController()
      const timer = setTimeout(
        () => controller.abort(new Error(`no connection within ${timeoutMs} ms`)),
        timeoutMs,
      )
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

/** @throws for an entry in the form of a network that is invalid */
export function parseAllowed(entries: readonly string[]): Allowed {
  const [names, networks] = [new Set<string>(), [] as string[]]
  for (const entry of entries.map((text) => text.trim().toLowerCase())) {
    const parsed = canonicalNetwork(entry)
    if ('network' in parsed) networks.push(parsed.network)
    // A mistyped network must not pass as a host name that does not exist.
    else if (entry === '' || /[/:]/.test(entry))
      throw new ConfigError(`${entry || 'an empty entry'} ${parsed.problem}`)
    else names.add(entry.replace(/\.$/, ''))
  }
  return { names, networks }
}

/** True if the URL's host itself is listed; the addresses it resolves to are not considered. */
export function isAllowed({ names, networks }: Allowed, hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? isWithin(host, networks) : names.has(host.toLowerCase().replace(/\.$/, ''))
}

/** An unknown name counts as internal: otherwise a tenant could find out which internal names exist. */
const knownTo = (resolve: (name: string) => Promise<string[]>, name: string): Promise<string[]> =>
  resolve(name).catch(() => [])

/** Also uses the hosts file. */
const resolveBySystem = async (name: string): Promise<string[]> =>
  (await systemLookup(name, { all: true })).map(({ address }) => address)

/**
 * Resolves with DNS only. The system's resolver has four threads per process: a few names with silent servers
 * would delay every other name.
 */
export function resolveHost(
  timeoutMs: number,
  servers?: readonly string[],
): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const known: string[][] = [[], []]
    const questions = [resolver.resolve4(name), resolver.resolve6(name)].map(async (question, family) => {
      known[family] = await question
    })
    const all = Promise.allSettled(questions)
    // Some name servers drop questions about a family they have no records of: the other family is then
    // enough.
    const enough = new AbortController()
    await Promise.any(questions).catch(() => undefined)
    await Promise.race([all, pause(otherFamilyMs, enough.signal)])
    enough.abort()
    const addresses = known.flat()
    const failure =
      addresses.length > 0 ? undefined : (await all).find((answer) => answer.status === 'rejected')
    if (failure) throw failure.reason
    return addresses
  }
}

const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))

function dial(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connectTcp({
      host: address,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    })
    const give = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', give, { once: true })
    // Keep this listener: until the connection is handed on, an unhandled error would end the process.
    socket.on('error', fail).once('connect', () => {
      signal.removeEventListener('abort', give)
      done(socket)
    })
  })
}

const overTls = (secure: buildConnector.connector, target: buildConnector.Options): Promise<Socket> =>
  new Promise((done, fail) => secure(target, (error, socket) => (socket ? done(socket) : fail(error))))

/** Rejects as soon as the signal aborts, even if the work cannot be stopped. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const give = () => fail(signal.reason)
    signal.addEventListener('abort', give, { once: true })
    work.then(done, fail).finally(() => signal.removeEventListener('abort', give))
  })
}
