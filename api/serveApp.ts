import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { RefusedConnection } from '../src/platform/http/connectionPlaces.ts'
import { type ConnectionLimits, limitConnections, serverOptions } from '../src/platform/http/connections.ts'
import { closeServer, closeWithAnswers, listen } from '../src/platform/http/http.ts'
import type { ProcessContext } from '../src/platform/process.ts'

interface ServerConfig {
  port: number
  host: string
  limits: ConnectionLimits
  /** How long it goes on after SIGTERM. */
  drainMs: number
  /** More of Node's options. */
  options?: ServerOptions
  refused(reason: RefusedConnection): void
}

/**
 * Serves an app until the process stops.
 * @param upgrades handles requests for WebSockets
 */
export async function serveApp(
  { onStop, drainFor, draining }: Pick<ProcessContext, 'onStop' | 'drainFor' | 'draining'>,
  config: ServerConfig,
  app: RequestListener,
  upgrades: (server: Server) => void = () => {},
): Promise<{ port: number; openConnections(): number }> {
  const server = createServer({ ...serverOptions(config.limits), ...config.options }, app)
  upgrades(server)
  // `Expect: 100-continue` is answered by the code that reads the body.
  server.on('checkContinue', app)
  drainFor(config.drainMs)
  closeWithAnswers(server, draining)
  const openConnections = limitConnections(server, config.limits, config.refused)
  const port = await listen(server, config.port, config.host)
  onStop(() => closeServer(server))
  return { port, openConnections }
}
