import type { ConfiguredChain } from '../../src/chains/registry.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import type { WalletOpener } from '../../src/custody/walletKeys.ts'
import type { SealedWallet } from '../../src/custody/walletSeal.ts'
import type { HoldContext } from '../../src/outgoing/hold.ts'
import { isRestored } from '../../src/outgoing/restored.ts'
import { type SigningContext, signWanted } from '../../src/outgoing/signWanted.ts'
import type { Db, Tx } from '../../src/platform/db.ts'
import { messageOf } from '../../src/platform/errors.ts'
import type { Log } from '../../src/platform/log.ts'
import type { Metrics } from '../../src/platform/metrics.ts'
import type { Secret } from '../../src/platform/secrets.ts'
import { createBell } from '../../src/platform/wait.ts'
import { recordTransferEvent } from '../../src/transfers/recordTransferEvent.ts'
import { listenForNotifications } from '../notifications.ts'

interface TreasuryContext extends HoldContext {
  db: Db
  log: Log
  metrics: Metrics
  chains: readonly ConfiguredChain[]
  wallets: WalletOpener
  proofs: SigningContext['proofs']
  /** Where NOTIFY can be heard. */
  directUrl: string
}

const lookMs = 1000
const tellEveryMs = 60_000

/** Signs what rows ask for until the process stops. It asks no node and listens to nobody but the database. */
export async function signUntil(
  { db, log, metrics, chains, wallets, environment, proofs, directUrl }: TreasuryContext,
  stopping: AbortSignal,
): Promise<void> {
  const signatures = metrics.counter('treasury_signatures_total', 'Rows that the treasury signed, refused, or could not sign', ['chain', 'outcome'])
  for (const { name } of chains) for (const outcome of ['signed', 'refused', 'failed']) signatures.inc({ chain: name, outcome }, 0)
  const ctx = {
    db,
    log,
    environment,
    async signing(name: string) {
      const chain = chains.find((each) => each.name === name)
      return chain ? { chain, builder: await transferBuilder(chain) } : null
    },
    proofs,
    openWallet: (tx: Tx, id: string) => openWallet(tx, wallets, id),
    onChange: { transfer: recordTransferEvent },
    signed: (chain: string, outcome: 'signed' | 'refused' | 'failed') => signatures.inc({ chain, outcome }),
  }
  const bell = createBell()
  const notifications = listenForNotifications(directUrl, ['cowry_outgoing'], () => bell.ring(), log, stopping)
  let tellAt = 0
  const tellRestored = async () => {
    if (Date.now() < tellAt || !(await isRestored(db))) return
    tellAt = Date.now() + tellEveryMs
    log.error('the database was restored: nothing is signed before it is reconciled (npm run outgoing -- restored)')
  }
  while (!stopping.aborted) {
    await tellRestored().catch((error) => log.error({ err: messageOf(error) }, 'nobody can say whether the database was restored'))
    await signWanted(ctx).catch((error) => log.error({ err: messageOf(error) }, 'the treasury could not sign; trying again'))
    await bell.wait(lookMs, stopping)
  }
  await notifications
}

async function openWallet(tx: Tx, wallets: WalletOpener, id: string): Promise<Secret> {
  const [wallet] = await tx.query<SealedWallet>(
    'select id, business_id as "businessId", chain, address, key_id as "keyId", sealed from wallets where id = $1',
    [id],
  )
  if (!wallet) throw new Error(`there is no wallet ${id}`)
  return (await wallets.open(wallet)).privateKey
}
