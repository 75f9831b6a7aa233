import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { makeCertificate } from '../../test/support/certificate.ts'
import { type ConnectProxy, startConnectProxy } from '../../test/support/connectProxy.ts'
import { startServer, type TestServer } from '../../test/support/httpServer.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { listen } from '../platform/http/http.ts'
import { createEgress, type Egress, type EgressOptions, ForbiddenAddressError } from './egress.ts'

/** Long if a response is expected, short if not. */
const [far, near] = [20_000, 300]

let server: TestServer
let proxy: ConnectProxy
let opened: (() => Promise<unknown>)[]
beforeEach(async () => {
  opened = []
  server = await startServer()
  proxy = await startConnectProxy()
})
afterEach(async () => {
  await proxy.close()
  await server.close()
  for (const close of opened) await close()
})

/** By default every name resolves to 127.0.0.1, and nothing is allowed. */
function start(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({
    allow: [],
    proxyUrl: null,
    timeoutMs: far,
    lookup: async () => ['127.0.0.1'],
    ...options,
  })
  opened.push(() => egress.dispatcher.destroy())
  return egress
}

const post = async ({ dispatcher }: Egress, host: string, scheme = 'http'): Promise<number> => {
  const { statusCode, body } = await dispatcher.request({
    origin: `${scheme}://${host}`,
    path: '/hooks',
    method: 'POST',
    body: '{}',
  })
  await body.dump()
  return statusCode
}

/** A server below HTTP. */
async function startTcp(talk: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const tcp: Server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    talk(socket)
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', () => resolve()))
  opened.push(async () => {
    for (const socket of sockets) socket.destroy()
    tcp.close()
  })
  const address = tcp.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

describe('an internal address', () => {
  test('fails the request with an error that reveals nothing about the internal network', async () => {
    const failed = await post(
      start({ lookup: async () => ['10.1.2.3', 'fd00::17'] }),
      'hooks.example.com',
    ).catch((error) => error)
    expect(failed).toBeInstanceOf(ForbiddenAddressError)
    expect(failed.message).toBe('the host has no public address')
    expect(failed.cause).toBeUndefined()
    expect(await post(start(), `127.0.0.1:${server.port}`).catch((error) => error)).toBeInstanceOf(
      ForbiddenAddressError,
    )
    expect(server.heard).toHaveLength(0)
  })

  test('is any address of this machine', async () => {
    const own = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).map(({ address }) => address),
    )
    expect(own).toContain('127.0.0.1')
    for (const address of own)
      await expect(post(start({ lookup: async () => [address] }), 'hooks.example.com')).rejects.toThrow(
        ForbiddenAddressError,
      )
    const ownAddresses = () => ['192.88.1.1', '2606:4700:0:0::1']
    for (const address of ['192.88.1.1', '::ffff:192.88.1.1', '2606:4700::1'])
      await expect(
        post(start({ ownAddresses, lookup: async () => [address] }), 'hooks.example.com'),
      ).rejects.toThrow(ForbiddenAddressError)
  })

  test("is also a resolver's invalid answer", async () => {
    for (const answer of ['', 'localhost', '127.1', '0x7f000001', '127.0.0.1:80'])
      await expect(
        post(start({ allow: ['0.0.0.0/0', '::/0'], lookup: async () => [answer] }), 'a.example.com'),
      ).rejects.toThrow(ForbiddenAddressError)
  })

  test('gives the same error as an unknown name, so that internal names stay secret', async () => {
    const lookup = () => Promise.reject(new Error('getaddrinfo ENOTFOUND db.internal'))
    await expect(post(start({ lookup }), 'db.internal')).rejects.toThrow(new ForbiddenAddressError())
    await expect(post(start({ lookup, allow: ['db.internal'] }), 'db.internal')).rejects.toThrow('ENOTFOUND')
  })
})

describe('the allow list', () => {
  test.each([
    ['a name, in any case', ['Hooks.Example.COM'], 'hooks.example.com'],
    ['a name, in any case of the host', ['hooks.example.com'], 'HOOKS.example.com'],
    ['a name with its last point', ['hooks.example.com.'], 'hooks.example.com'],
    ['a name of a host with its last point', ['hooks.example.com'], 'hooks.example.com.'],
    ['an address, through any name', ['127.0.0.1'], 'hooks.example.com'],
    ['an address that is the host', ['127.0.0.1'], '127.0.0.1'],
    ['an address that is the host in another form', ['::ffff:127.0.0.1'], '2130706433'],
    ['a network', [' 127.0.0.0/30 '], 'hooks.example.com'],
  ])('includes %s', async (_, allow, host) => {
    expect(await post(start({ allow }), `${host}:${server.port}`)).toBe(200)
  })

  test.each([
    ['another name', ['example.com'], 'hooks.example.com'],
    ['a name under it', ['hooks.example.com'], 'a.hooks.example.com'],
    ['a name that ends as it does', ['example.com'], 'bad-example.com'],
    ['a name that leads to an allowed name’s address', ['localhost'], 'hooks.example.com'],
    ['the address of an allowed name', ['localhost'], '127.0.0.1'],
    ['another address', ['127.0.0.2', '10.0.0.0/8', '::1'], 'hooks.example.com'],
  ])('does not include %s', async (_, allow, host) => {
    await expect(post(start({ allow }), `${host}:${server.port}`)).rejects.toThrow(ForbiddenAddressError)
  })

  test("uses the system's resolver", async () => {
    const egress = createEgress({ allow: ['localhost'], proxyUrl: null, timeoutMs: far })
    opened.push(() => egress.dispatcher.destroy())
    expect(await post(egress, `localhost:${server.port}`)).toBe(200)
  })

  test.each(['10.0.0.0/33', '10.0.0.1/8', '::1/200', 'hooks.example.com:80', 'http://hooks.example.com', ''])(
    'refuses %j at the start',
    (entry) => {
      expect(() => start({ allow: ['localhost', entry] })).toThrow(entry || 'an empty entry')
    },
  )
})

describe('a connection', () => {
  const allow = ['127.0.0.1']

  test('sends the requested name as its Host', async () => {
    await post(start({ allow }), `hooks.example.com:${server.port}`)
    expect(server.heard[0]?.headers.host).toBe(`hooks.example.com:${server.port}`)
  })

  test('is made to the next address if one fails', async () => {
    const lookup = async () => ['127.0.0.7', '::1', '127.0.0.1']
    expect(
      await post(start({ allow: ['127.0.0.0/8', '::1'], lookup }), `hooks.example.com:${server.port}`),
    ).toBe(200)
  })

  test('tries at most six addresses of a name', async () => {
    const lookup = async () => [2, 3, 4, 5, 6, 7, 1].map((n) => `127.0.0.${n}`)
    await expect(
      post(start({ allow: ['127.0.0.0/8'], lookup }), `hooks.example.com:${server.port}`),
    ).rejects.toThrow('ECONNREFUSED 127.0.0.7')
  })

  test('has no limit per origin, and is reused', async () => {
    const waiting: (() => void)[] = []
    server.answer = (response) => void waiting.push(() => response.end())
    let lookups = 0
    const lookup = async () => {
      lookups++
      return ['127.0.0.1']
    }
    const egress = start({ allow, lookup })
    const all = Promise.all(
      Array.from({ length: 40 }, () => post(egress, `hooks.example.com:${server.port}`)),
    )
    await waitFor('40 requests', async () => waiting.length === 40)
    for (const answer of waiting) answer()
    expect(new Set(await all)).toEqual(new Set([200]))
    server.answer = (response) => void response.end()
    expect(lookups).toBe(40)
    await waitFor('a request on a connection that was there', async () => {
      const before = lookups
      await post(egress, `hooks.example.com:${server.port}`)
      return lookups === before
    })
  })

  test('ends at its deadline if the resolver never answers', async () => {
    const at = Date.now()
    await expect(
      post(start({ timeoutMs: near, lookup: () => new Promise(() => {}) }), 'hooks.example.com'),
    ).rejects.toThrow('no connection within 300 ms')
    expect(Date.now() - at).toBeLessThan(near * 10)
  })

  test.each(['a receiver that does not speak TLS', 'a proxy that does not answer'])(
    'ends at its deadline with %s',
    async (what) => {
      let closed = false
      const port = await startTcp((socket) => socket.resume().on('close', () => (closed = true)))
      const proxyUrl = what.startsWith('a proxy') ? `http://127.0.0.1:${port}` : null
      await expect(
        post(start({ allow, timeoutMs: near, proxyUrl }), `hooks.example.com:${port}`, 'https'),
      ).rejects.toThrow('no connection within 300 ms')
      await waitFor('the connection to be closed', async () => closed)
    },
  )

  test('in use is finished at close, and no new one is made', async () => {
    let answer = () => {}
    server.answer = (response) => {
      answer = () => void response.end()
    }
    const egress = start({ allow })
    const running = post(egress, `hooks.example.com:${server.port}`)
    await waitFor('the request', async () => server.heard.length === 1)
    const closed = egress.close()
    await expect(post(egress, `hooks.example.com:${server.port}`)).rejects.toThrow('closed')
    answer()
    expect(await running).toBe(200)
    await closed
  })
})

describe('over TLS', () => {
  const { key, cert } = makeCertificate(['hooks.example.com'])
  const before = getCACertificates('default')
  let port: number
  let names: (string | false | null)[]
  beforeEach(async () => {
    names = []
    const secure = createHttpsServer({ key, cert }, (request, response) => {
      names.push((request.socket as TLSSocket & { servername: string | false | null }).servername)
      response.end()
    })
    port = await listen(secure, 0, '127.0.0.1')
    opened.push(async () => {
      secure.close()
      secure.closeAllConnections()
    })
    setDefaultCACertificates([...before, cert])
  })
  afterEach(() => setDefaultCACertificates(before))

  test.each([false, true])(
    'the certificate and the request use the host name, for any dialled address; by a proxy: %p',
    async (byProxy) => {
      const egress = start({
        allow: ['127.0.0.1'],
        proxyUrl: byProxy ? `http://127.0.0.1:${proxy.port}` : null,
      })
      expect(await post(egress, `hooks.example.com:${port}`, 'https')).toBe(200)
      expect(await post(egress, `hooks.example.com.:${port}`, 'https')).toBe(200)
      await expect(post(egress, `other.example.com:${port}`, 'https')).rejects.toThrow(
        "does not match certificate's altnames",
      )
      await expect(post(egress, `127.0.0.1:${port}`, 'https')).rejects.toThrow(
        "does not match certificate's altnames",
      )
      expect(names).toEqual(['hooks.example.com', 'hooks.example.com'])
      expect(new Set(proxy.asked.map(({ authority }) => authority))).toEqual(
        new Set(byProxy ? [`127.0.0.1:${port}`] : []),
      )
    },
  )

  test('an untrusted certificate is refused', async () => {
    setDefaultCACertificates(before)
    await expect(post(start({ allow: ['127.0.0.1'] }), `hooks.example.com:${port}`, 'https')).rejects.toThrow(
      /self.signed/,
    )
    expect(names).toEqual([])
  })
})

describe('an egress proxy', () => {
  const allow = ['127.0.0.1', '::1']
  const through = (credentials = '') => `http://${credentials}127.0.0.1:${proxy.port}`

  test('gets addresses only, also for plain HTTP, and the credentials', async () => {
    expect(
      await post(start({ allow, proxyUrl: through('shop:p%40ss%3A@') }), `hooks.example.com:${server.port}`),
    ).toBe(200)
    expect(proxy.asked).toEqual([
      {
        authority: `127.0.0.1:${server.port}`,
        authorization: `Basic ${Buffer.from('shop:p@ss:').toString('base64')}`,
      },
    ])
    expect(server.heard[0]?.headers).toMatchObject({ host: `hooks.example.com:${server.port}` })
    expect(server.heard[0]?.headers['proxy-authorization']).toBeUndefined()
  })

  test("gets IPv6 addresses in brackets, and the scheme's default port", async () => {
    proxy.status = 502
    const egress = start({ allow, proxyUrl: through(), lookup: async () => ['::1'] })
    await expect(post(egress, 'hooks.example.com', 'https')).rejects.toThrow('the egress proxy answered 502')
    await expect(post(egress, 'hooks.example.com')).rejects.toThrow('the egress proxy answered 502')
    expect(proxy.asked).toEqual(
      ['[::1]:443', '[::1]:80'].map((authority) => ({ authority, authorization: undefined })),
    )
  })

  test('gets no internal address', async () => {
    await expect(post(start({ proxyUrl: through() }), `hooks.example.com:${server.port}`)).rejects.toThrow(
      ForbiddenAddressError,
    )
    await expect(post(start({ proxyUrl: through() }), `127.0.0.1:${server.port}`)).rejects.toThrow(
      ForbiddenAddressError,
    )
    expect(proxy.asked).toEqual([])
  })

  test('that refuses, is down or sends data too early is a failure that reveals neither its address nor its credentials', async () => {
    const failure = async (proxyUrl: string) => {
      const error = await post(start({ allow, proxyUrl }), `hooks.example.com:${server.port}`).catch(
        (thrown) => thrown,
      )
      expect(JSON.stringify([error.message, error.stack, error.cause, Object.entries(error)])).not.toMatch(
        /s3cret|c2hvc|127\.0\.0\.1/,
      )
      return error.message
    }
    proxy.status = 407
    expect(await failure(through('shop:s3cret@'))).toBe('the egress proxy answered 407')
    const chatty = await startTcp((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n220 smtp.example.com')),
    )
    expect(await failure(`http://shop:s3cret@127.0.0.1:${chatty}`)).toBe(
      'the egress proxy sent data before it was asked',
    )
    const nonsense = await startTcp((socket) => socket.write('220 smtp.example.com\r\n'))
    expect(await failure(`http://shop:s3cret@127.0.0.1:${nonsense}`)).toMatch(
      /^the egress proxy cannot be used/,
    )
    const rude = await startTcp((socket) => socket.destroy())
    expect(await failure(`http://shop:s3cret@127.0.0.1:${rude}`)).toBe(
      'the egress proxy cannot be used (ECONNRESET)',
    )
    await proxy.close()
    expect(await failure(through('shop:s3cret@'))).toBe('the egress proxy cannot be used (ECONNREFUSED)')
  })

  test.each([
    'https://shop:s3cret@proxy:3128',
    'socks5://shop:s3cret@proxy',
    'shop:s3cret@proxy:3128',
    'http://shop:s3cret@proxy/path',
    '',
  ])('at %j is refused at the start, without repeating it', (proxyUrl) => {
    expect(() => start({ proxyUrl })).toThrow(
      /^the URL of the egress proxy must have the form http:\/\/\[user:password@\]host:port$/,
    )
  })
})
