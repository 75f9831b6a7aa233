import { systemActor } from '../../src/audit/recordAudit.ts'
import type { Family } from '../../src/chains/chain.ts'
import type { ConfiguredChain } from '../../src/chains/registry.ts'
import type { Prover } from '../../src/custody/proof.ts'
import { createRequestKey } from '../../src/custody/requestKey.ts'
import { createDestination } from '../../src/destinations/createDestination.ts'
import type { WantedDestination } from '../../src/destinations/readDestination.ts'
import { setLegalProfile } from '../../src/outflows/bank/legalProfile.ts'
import { createYellowCard } from '../../src/partners/yellowcard/client.ts'
import { type AutopayoutSetting, setAutopayout } from '../../src/payouts/autopayout.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { setAutosweep } from '../../src/sweeps/autosweep.ts'
import { collectionOn } from '../../src/sweeps/sweepKind.ts'
import type { MerchantWallet } from './merchantWallets.ts'

/**
 * Chains whose payments the demo pays out to a bank; those of the others go to a wallet on the same chain.
 */
const toBank: readonly string[] = ['ethereum', 'polygon']

/** A partner's stand-in, as a client reaches it. */
export interface StandInAccess {
  url: string
  apiKey: string
  secretKey: string
}

interface Seeding {
  db: ModelDb
  appKey: Secret
  /** Of the api. */
  prover: Prover
  /** Those with a devnet. */
  chains: readonly ConfiguredChain[]
  wallets: Partial<Record<Family, MerchantWallet>>
  /** Of the stand-in; null: the operator has a partner of their own, whose banks the demo does not pay. */
  partner: StandInAccess | null
}

/**
 * Gives the demo business a legal profile, destinations that may be paid at once, autopayout and autosweep,
 * where it has no autopayout yet.
 */
export async function seedPayouts(
  { db, appKey, prover, chains, wallets, partner }: Seeding,
  businessId: string,
): Promise<void> {
  const actor = systemActor('npm start')
  const before = await db.query('select 1 from autopayout_settings where business_id = $1 limit 1', [
    businessId,
  ])
  if (before.length > 0) return
  await db.query(
    'insert into payout_settings (business_id, cooling_off_hours) values ($1, 0) on conflict do nothing',
    [businessId],
  )
  await setLegalProfile({ db, appKey }, actor, businessId, {
    businessName: 'Demo Business Ltd',
    registrationNumber: 'RC1234567',
    country: 'NG',
    address: '1 Marina Road, Lagos',
    phone: '+2348012345678',
    email: 'accounts@demo.cowry.test',
  })
  const client =
    partner &&
    createYellowCard({
      url: partner.url,
      apiKey: partner.apiKey,
      secretKey: new Secret(partner.secretKey),
      names: 'send',
      signedPath: 'whole',
    })
  const banks = client && (async () => ({ banks: await client.banks(), asOf: new Date() }))
  const ctx = {
    db,
    appKey,
    prover,
    chains,
    banks,
    requestKey: createRequestKey({ db, appKey }),
    paymentPartner: client,
  }
  const save = async (wanted: WantedDestination) =>
    (await createDestination(ctx, businessId, wanted, async () => {})).id
  const bank =
    client &&
    (await client.banks()).find(
      ({ countryCode, currencies }) => countryCode === 'NG' && currencies.includes('NGN'),
    )
  const account = bank
    ? await save({
        name: 'Our account',
        networkId: bank.id,
        accountNumber: '0123456789',
        accountName: 'Demo Business Ltd',
        currency: 'NGN',
      })
    : null
  const payouts: AutopayoutSetting[] = []
  for (const { name, family, tokens } of chains) {
    const wallet = wallets[family]
    if (!wallet) continue
    const isBank = account !== null && toBank.includes(name)
    const destinationId = isBank
      ? account
      : await save({ name: `Our wallet on ${name}`, chain: name, address: wallet.address })
    payouts.push(
      ...tokens.map(({ symbol }) => ({ chain: name, token: symbol, enabled: true, destinationId })),
    )
  }
  await setAutopayout(ctx, actor, businessId, payouts)
  const swept = chains.filter((chain) => collectionOn(chain) === 'sweep')
  const sweeps = swept.flatMap(({ name, tokens }) =>
    tokens.map(({ symbol }) => ({ chain: name, token: symbol, enabled: true, threshold: '0' })),
  )
  await setAutosweep(ctx, actor, businessId, sweeps)
}
