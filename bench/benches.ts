import { benchAllLists } from './allLists.ts'
import { benchApi } from './api.ts'
import { benchAudit } from './audit.ts'
import { benchBatches } from './batches.ts'
import { benchBridge } from './bridge.ts'
import { benchCheckoutPage } from './checkoutPage.ts'
import { benchCheckouts } from './checkouts.ts'
import { benchCollections } from './collections.ts'
import { benchDeliveryLists } from './deliveryLists.ts'
import { benchIndexers } from './indexers.ts'
import { benchLatency } from './latency.ts'
import { benchLedger } from './ledger.ts'
import { benchMonitoring } from './monitoring.ts'
import { benchOneProcess } from './oneProcess.ts'
import { benchOutgoing } from './outgoing.ts'
import { benchOverview } from './overview.ts'
import { benchPayouts } from './payouts.ts'
import { installedPeers } from './peers/installed.ts'
import { benchPeers } from './peers/report.ts'
import { recordedBlocks } from './recordedBlocks.ts'
import type { Bench } from './runBenches.ts'
import { benchScale } from './scale.ts'
import { benchSearch } from './search.ts'
import { benchSessions } from './sessions.ts'
import { benchStaking } from './staking.ts'
import { benchStartUp } from './startUp.ts'
import { benchSwaps } from './swaps.ts'
import { benchSweeps } from './sweeps.ts'
import { benchThreads } from './threads.ts'
import { benchTracing } from './tracing.ts'
import { benchVerification } from './verification.ts'
import { benchVerificationUploads } from './verificationUploads.ts'
import { benchWallets } from './wallets.ts'
import { benchWatchList } from './watchlist.ts'
import { benchWebhooks } from './webhooks.ts'

/** All benches by the name that `npm run bench -- <name>` takes, in the order in which they run. */
export const benches: Readonly<Record<string, Bench>> = {
  indexers: { needs: [recordedBlocks], measure: benchIndexers },
  threads: { needs: [recordedBlocks], measure: benchThreads },
  batches: { needs: [recordedBlocks], measure: benchBatches },
  peers: { needs: [installedPeers], measure: benchPeers },
  watchlist: { measure: benchWatchList },
  sessions: { measure: benchSessions },
  checkouts: { measure: benchCheckouts },
  search: { measure: benchSearch },
  overview: { measure: benchOverview },
  'checkout-page': { measure: benchCheckoutPage },
  tracing: { measure: benchTracing },
  webhooks: { needs: [recordedBlocks], measure: benchWebhooks },
  latency: { measure: benchLatency },
  wallets: { measure: benchWallets },
  api: { measure: benchApi },
  outgoing: { measure: benchOutgoing },
  ledger: { measure: benchLedger },
  sweeps: { measure: benchSweeps },
  payouts: { measure: benchPayouts },
  collections: { measure: benchCollections },
  swaps: { measure: benchSwaps },
  bridge: { measure: benchBridge },
  staking: { measure: benchStaking },
  verification: { measure: benchVerification },
  'verification-uploads': { measure: benchVerificationUploads },
  monitoring: { measure: benchMonitoring },
  deliveries: { measure: benchDeliveryLists },
  audit: { measure: benchAudit },
  lists: { measure: benchAllLists },
  'one-process': { needs: [recordedBlocks], measure: benchOneProcess },
  start: { measure: benchStartUp },
  scale: { needs: [recordedBlocks], measure: benchScale },
}
