import { request } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { ConfigError } from '../platform/config.ts'
import { Secret } from '../platform/secrets.ts'

export interface EgressProxy {
  host: string
  port: number
  /** The value of `Proxy-Authorization`. */
  authorization: Secret | null
}

/**
 * @throws unless it is `http://[user:password@]host:port`; the message does not repeat it, because it may
 * contain a
 *   password
 */
export function parseProxy(url: string): EgressProxy {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'http:' || parsed.pathname !== '/' || parsed.search || parsed.hash)
    throw new ConfigError('the URL of the egress proxy must have the form http://[user:password@]host:port')
  const credentials = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port) || 80,
    authorization:
      credentials === ':' ? null : new Secret(`Basic ${Buffer.from(credentials).toString('base64')}`),
  }
}

/**
 * Opens a connection to an address through the proxy (CONNECT, RFC 9110 §9.3.6). The proxy never gets a host
 * name, which it might resolve differently. Errors reveal neither the proxy's address nor its credentials,
 * because tenants read them.
 */
export function connectThrough(
  proxy: EgressProxy,
  address: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`
  return new Promise((done, fail) => {
    const asking = request({
      host: proxy.host,
      port: proxy.port,
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        ...(proxy.authorization ? { 'proxy-authorization': proxy.authorization.reveal() } : {}),
      },
      agent: false,
    })
    const give = () => asking.destroy()
    signal.addEventListener('abort', give, { once: true })
    asking.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      signal.removeEventListener('abort', give)
      // Until the connection is handed on, an unhandled error would end the process.
      socket.on('error', fail)
      const isRefused = statusCode < 200 || statusCode > 299
      const early = head.length > 0 ? 'sent data before it was asked' : null
      const refusal = isRefused ? `answered ${statusCode}` : early
      if (refusal === null) done(socket.setNoDelay(true).setKeepAlive(true, 60_000))
      else fail(new Error(`the egress proxy ${refusal}`))
      if (refusal !== null) socket.destroy()
    })
    asking.on('error', (error: NodeJS.ErrnoException) => {
      fail(
        signal.aborted
          ? signal.reason
          : new Error(`the egress proxy cannot be used${error.code ? ` (${error.code})` : ''}`),
      )
    })
    asking.end()
  })
}
