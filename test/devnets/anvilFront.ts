import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'

/**
 * anvil 1.7.1 can hang forever when it mines while it traces a block: the trace takes the read lock on blocks
 * twice, and a writer waiting in between blocks the second lock. (foundry's pull request 5448 fixed a similar
 * case.) Mining 2,000 blocks while tracing without a pause hangs about once.
 */
const exclusiveMethods = /"method"\s*:\s*"(evm_mine|anvil_mine|anvil_reorg|debug_trace)/

/** A proxy in front of anvil: passes every request on, but mines and traces one at a time. */
export interface AnvilFront {
  url: string
  close(): Promise<void>
}

export async function startAnvilFront(nodeUrl: string, port: number): Promise<AnvilFront> {
  const { hostname: host, port: nodePort } = new URL(nodeUrl)
  const agent = new Agent({ keepAlive: true })
  let last: Promise<void> = Promise.resolve()
  const inTurn = (pass: () => Promise<void>) => {
    const turn = last.then(pass)
    last = turn.catch(() => {})
    return turn
  }
  const server = createServer((asked, response) => {
    const chunks: Buffer[] = []
    asked.on('data', (chunk: Buffer) => chunks.push(chunk))
    asked.on('end', () => {
      const body = Buffer.concat(chunks)
      const pass = () => passOn({ agent, host, port: nodePort }, asked, body, response)
      const passed = exclusiveMethods.test(body.toString('latin1')) ? inTurn(pass) : pass()
      passed.catch(() => response.destroy())
    })
  })
  const sockets = new Set<Socket>()
  server.on('upgrade', (asked, socket: Socket, head) => {
    const node = connect(Number(nodePort), host)
    const headers = asked.rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${asked.rawHeaders[index + 1]}\r\n`] : [],
    )
    node.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    node.write(head)
    // Nothing traces over a WebSocket.
    socket.pipe(node).pipe(socket)
    for (const each of [socket, node]) {
      sockets.add(each)
      each.on('error', () => {})
      each.on('close', () => {
        sockets.delete(each)
        socket.destroy()
        node.destroy()
      })
    }
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  )
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const each of sockets) each.destroy()
      agent.destroy()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Resolves when the node has answered, even if the client has disconnected. */
function passOn(
  node: { agent: Agent; host: string; port: string },
  asked: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const passed = request(
      { ...node, method: asked.method, path: asked.url, headers: asked.headers },
      (answer) => {
        answer.on('end', resolve).on('error', reject)
        // If the client has disconnected meanwhile, the answer is read and dropped here: the next one waits for its end.
        if (response.destroyed) return void answer.resume()
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        response.once('close', () => answer.resume())
        answer.pipe(response)
      },
    )
    passed.once('error', reject).end(body)
  })
}
