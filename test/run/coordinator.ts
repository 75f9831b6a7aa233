import { createServer, get } from 'node:http'
import { join } from 'node:path'

export interface Coordinator {
  /** The path of its socket. */
  address: string
  close(): Promise<void>
}

/** Serves the resources that the suites of a run share. Each starts once, at the first request. */
export async function startCoordinator(
  home: string,
  resources: Record<string, () => Promise<string>>,
): Promise<Coordinator> {
  const started = new Map<string, Promise<string>>()
  const resource = (name: string): Promise<string> => {
    const known = started.get(name)
    if (known) return known
    const start = resources[name]
    const starting = start ? start() : Promise.reject(new Error(`the run has no resource ${name}`))
    started.set(name, starting)
    return starting
  }
  const server = createServer((request, response) => {
    resource(request.url?.slice(1) ?? '').then(
      (value) => response.end(value),
      (error) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  const address = join(home, 'run.sock')
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, resolve)
  })
  return {
    address,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.allSettled(started.values())
    },
  }
}

/** Requests a resource of the coordinator. @throws with its message when the resource does not start */
export function callCoordinator(address: string, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ socketPath: address, path: `/${name}`, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', reject)
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
    }).on('error', reject)
  })
}
