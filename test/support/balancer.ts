import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { listen } from '../../src/platform/http/http.ts'

/** How often it checks if each process is ready, and how long it waits for an answer. */
const [checkMs, answerMs] = [100, 1000]
/** So many checks in turn without an answer are taken for a process that is not ready, as Kubernetes does. */
const maxMissed = 3

/**
 * A plain load balancer in front of api processes. It sends requests in turn to those that are ready, over
 * connections that it keeps, and repeats no request: one that a process does not answer is lost.
 */
export interface Balancer {
  url: string
  add(process: CowryProcess): void
  remove(process: CowryProcess): void
  /** Requests that got no answer from a process, with the reason. */
  lost: string[]
  /** Requests that each process has answered, by its name. */
  answered: ReadonlyMap<string, number>
  close(): Promise<void>
}

interface Upstream {
  process: CowryProcess
  agent: Agent
  isReady: boolean
  missed: number
}

export async function startBalancer(): Promise<Balancer> {
  const upstreams: Upstream[] = []
  const lost: string[] = []
  const answered = new Map<string, number>()
  let turn = 0

  const lose = (asked: IncomingMessage, response: ServerResponse, reason: string) => {
    lost.push(`${asked.method} ${asked.url}: ${reason}`)
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  }

  const server = createServer((asked, response) => {
    const ready = upstreams.filter(({ isReady }) => isReady)
    const chosen = ready[turn++ % Math.max(1, ready.length)]
    if (!chosen) return lose(asked, response, 'no process is ready')
    const { process, agent } = chosen
    const options = {
      host: '127.0.0.1',
      port: process.port(),
      method: asked.method,
      path: asked.url,
      headers: asked.headers,
      agent,
    }
    const sent = request(options, (answer) => {
      const { connection: _, 'keep-alive': __, ...headers } = answer.headers
      response.writeHead(answer.statusCode ?? 502, headers)
      answer.on('error', (error) => lose(asked, response, `${process.name}: ${error.message}`))
      answer.on('end', () => answered.set(process.name, (answered.get(process.name) ?? 0) + 1))
      answer.pipe(response)
    })
    sent.on('error', (error) => lose(asked, response, `${process.name}: ${error.message}`))
    asked.pipe(sent)
  })
  const port = await listen(server, 0, '127.0.0.1')

  let isChecking = false
  const checks = setInterval(async () => {
    if (isChecking) return
    isChecking = true
    await Promise.all(
      upstreams.map(async (upstream) => {
        const url = `http://127.0.0.1:${upstream.process.port()}/health/ready`
        const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) }).catch(
          (error: Error) => error,
        )
        const isLate = answer instanceof Error && answer.name === 'TimeoutError'
        upstream.missed = isLate ? upstream.missed + 1 : 0
        if (!isLate) upstream.isReady = !(answer instanceof Error) && answer.ok
        else if (upstream.missed >= maxMissed) upstream.isReady = false
      }),
    )
    isChecking = false
  }, checkMs)

  return {
    url: `http://127.0.0.1:${port}`,
    add: (process) =>
      void upstreams.push({ process, agent: new Agent({ keepAlive: true }), isReady: false, missed: 0 }),
    remove(process) {
      const index = upstreams.findIndex((each) => each.process === process)
      const [removed] = index === -1 ? [] : upstreams.splice(index, 1)
      removed?.agent.destroy()
    },
    lost,
    answered,
    async close() {
      clearInterval(checks)
      for (const { agent } of upstreams) agent.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
