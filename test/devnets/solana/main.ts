import { parseArgs } from 'node:util'
import type { Devnet } from './control.ts'
import { isLast } from './epochs.ts'
import { newChain } from './genesis.ts'
import { closeSlot } from './ledger.ts'
import { openMissingPools } from './pools.ts'
import { serve } from './server.ts'
import { loadState, type Saved, saveState } from './state.ts'
import { serveSubscriptions } from './subscriptions.ts'
import { endEpoch, openValidators, usualEnd } from './validators.ts'

/**
 * The server: `main.ts --port n [--block-ms n] [--finalized-depth n] [--home folder]`. Shuts down cleanly on
 * SIGTERM.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    'block-ms': { type: 'string', default: '0' },
    'finalized-depth': { type: 'string', default: '32' },
    home: { type: 'string' },
  },
})
const { home } = values
const blockMs = Number(values['block-ms'])
const saveEveryMs = 30_000
const now = (): number => Math.floor(Date.now() / 1000)

const finalizedDepth = Number(values['finalized-depth'])
const loaded = home ? loadState(home, finalizedDepth) : null
// A home of a version without swaps.
if (loaded) openMissingPools(loaded.ledger.svm)
const devnet: Devnet = {
  ledger: loaded?.ledger ?? newChain({ finalizedDepth, time: now() }),
  blockMs,
  faces: new Map(),
  held: false,
  sockets: 0,
}
openValidators(devnet.ledger)
let saved: Saved = loaded?.saved ?? { blocks: 0, bytes: 0 }
const save = () => {
  if (home) saved = saveState(home, devnet.ledger, saved)
}

const subscriptions = serveSubscriptions(devnet)
const server = serve(devnet, subscriptions)
const tick = () => {
  if (devnet.held) return
  const { ledger } = devnet
  if (isLast(ledger, ledger.open.slot)) endEpoch(ledger, now(), usualEnd)
  else closeSlot(ledger, now())
  subscriptions.publish()
}
if (blockMs > 0) setInterval(tick, blockMs)
setInterval(save, saveEveryMs)
save()

process.on('SIGTERM', () => {
  // Stop answering first: no client has seen a height that is not saved.
  server.close()
  server.closeAllConnections()
  subscriptions.close()
  save()
  process.exit(0)
})
server.listen(Number(values.port), '127.0.0.1')
