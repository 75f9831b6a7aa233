import { type AddressInfo, connect, createServer } from 'node:net'

export interface Pooler {
  /** Of the same database, through the pooler. */
  url: string
  close(): Promise<void>
}

/** In front of Postgres: announces a key of its own, as poolers do: `BackendKeyData` (protocol 3.0, "Message Formats") is K, the length 12, a process id and a secret. */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const target = Number(new URL(databaseUrl).port)
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    client.pipe(upstream)
    let isStarting = true
    upstream.on('data', (bytes) => {
      const at = isStarting ? bytes.indexOf('4b0000000c', 0, 'hex') : -1
      if (at >= 0) {
        bytes.writeInt32BE(2_000_000_000, at + 5)
        isStarting = false
      }
      client.write(bytes)
    })
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', () => {}).on('close', end)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
