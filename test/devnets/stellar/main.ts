import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openChain } from './chain.ts'
import type { Flags } from './faces.ts'
import { seed } from './genesis.ts'
import { startServer } from './server.ts'

/* The process of the Stellar devnet: `main.ts --port 8000 --block-ms 1000 --passphrase … [--home folder]`. */

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    'block-ms': { type: 'string', default: '1000' },
    passphrase: { type: 'string' },
    home: { type: 'string' },
  },
})
const { port, passphrase, home } = values
if (!port || !passphrase) throw new Error('--port and --passphrase are required')
if (home) mkdirSync(home, { recursive: true })

const chain = openChain(passphrase, home ? join(home, 'ledgers.jsonl') : null)
seed(chain)

const blockMs = Number(values['block-ms'])
let timer: NodeJS.Timeout | undefined
function hold(on: boolean): void {
  clearInterval(timer)
  timer = on || blockMs === 0 ? undefined : setInterval(() => chain.close(), blockMs)
}
hold(false)

const server = startServer({ chain, faces: new Map<string, Flags>(), hold, timed: () => timer !== undefined })
server.listen(Number(port), '127.0.0.1')

// The chain is already on disk; only let no response be cut off.
process.once('SIGTERM', () => {
  hold(true)
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
