import { intentPurposes } from '../src/capabilities.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { transferBuilder } from '../src/chains/transferBuilders.ts'
import type { PlatformKeys } from '../src/custody/platformAddresses.ts'
import type { WalletOpener } from '../src/custody/walletKeys.ts'
import type { Db } from '../src/platform/database/db.ts'
import { listenForNotifications } from '../src/platform/database/notifications.ts'
import { messageOf } from '../src/platform/errors.ts'
import { repeat } from '../src/platform/repeat.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { Metrics } from '../src/platform/telemetry/metrics.ts'
import { createBell } from '../src/platform/wait.ts'
import { authorizePending } from '../src/sweeps/authorizePending.ts'
import type { HoldContext } from '../src/txmgr/hold.ts'
import type { TreasuryFacts } from '../src/txmgr/intents.ts'
import { isRestored } from '../src/txmgr/restored.ts'
import { type SigningContext, signPending } from '../src/txmgr/signPending.ts'
import { treasurySigners } from './signers.ts'

interface TreasuryContext extends HoldContext {
  db: Db
  log: Log
  metrics: Metrics
  chains: readonly ConfiguredChain[]
  wallets: WalletOpener
  keys: PlatformKeys
  proofs: SigningContext['proofs']
  settings: TreasuryFacts['settings']
  /** Not through a pooler, which loses notifications. */
  directUrl: string
}

const pollMs = 1000
const warnEveryMs = 60_000

/** Signs requests until the process stops. Talks only to the database. */
export async function signUntil(
  { db, log, metrics, chains, wallets, keys, environment, proofs, settings, directUrl }: TreasuryContext,
  stopping: AbortSignal,
): Promise<void> {
  const signatures = metrics.counter(
    'treasury_signatures_total',
    'Requests that the treasury signed, refused, or could not sign',
    ['chain', 'outcome'],
  )
  for (const { name } of chains)
    for (const outcome of ['signed', 'refused', 'failed']) signatures.inc({ chain: name, outcome }, 0)
  const ctx = {
    db,
    log,
    environment,
    async signing(name: string) {
      const chain = chains.find((each) => each.name === name)
      return chain ? { chain, builder: await transferBuilder(chain) } : null
    },
    proofs,
    settings,
    signers: treasurySigners(wallets, keys),
    addresses: keys,
    purposes: intentPurposes,
    signed: (chain: string, outcome: 'signed' | 'refused' | 'failed') => signatures.inc({ chain, outcome }),
  }
  const bell = createBell()
  const notifications = listenForNotifications(directUrl, ['cowry_intents'], () => bell.ring(), log, stopping)
  let warnAt = 0
  const warnIfRestored = async () => {
    if (Date.now() < warnAt || !(await isRestored(db))) return
    warnAt = Date.now() + warnEveryMs
    log.error(
      'the database was restored: nothing is signed before it is reconciled (npm run cowry -- intents restored)',
    )
  }
  await repeat(stopping, { everyMs: pollMs, bell }, async () => {
    await warnIfRestored().catch((error) =>
      log.error({ err: messageOf(error) }, 'it could not be checked whether the database was restored'),
    )
    await authorizePending({ db, log, keys, chains }).catch((error) =>
      log.error({ err: messageOf(error) }, 'the treasury could not authorize sweeps; trying again'),
    )
    await signPending(ctx).catch((error) =>
      log.error({ err: messageOf(error) }, 'the treasury could not sign; trying again'),
    )
  })
  await notifications
}
