import { systemActor } from '../../src/audit/recordAudit.ts'
import { type ConfiguredChain, knownChain } from '../../src/chains/registry.ts'
import { createRequestKey } from '../../src/custody/requestKey.ts'
import { createDestination } from '../../src/destinations/createDestination.ts'
import { platformAccount } from '../../src/ledger/account.ts'
import { post } from '../../src/ledger/post.ts'
import { setLegalProfile } from '../../src/outflows/bank/legalProfile.ts'
import { createPartnerFunds, type PartnerAlarm } from '../../src/outflows/bank/outflowPartner.ts'
import type { OutflowsContext } from '../../src/outflows/context.ts'
import { dueOutflows } from '../../src/outflows/dueOutflows.ts'
import type { BankPrice, Outflow } from '../../src/outflows/outflow.ts'
import { readOutflows } from '../../src/outflows/outflow.ts'
import { stepOutflow } from '../../src/outflows/stepOutflow.ts'
import { storeOutflow } from '../../src/outflows/storeOutflow.ts'
import { createYellowCard } from '../../src/partners/yellowcard/client.ts'
import { createPaymentPartner } from '../../src/partners/yellowcard/paymentPartner.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createRates } from '../../src/pricing/rates.ts'
import { startYellowCard, type YellowCardOptions, type YellowCardStandIn } from '../partners/yellowcard.ts'
import { createTestDatabase } from './database.ts'
import { proofs, provers } from './intentKeys.ts'
import { insertBusiness } from './madeBusiness.ts'
import { makeUsable } from './madeDestination.ts'
import { outflowEventsFor } from './outflowEvents.ts'
import { bankId } from './paymentRequests.ts'
import { appKey as appKeyText } from './template.ts'
import { accountAt, credentials } from './yellowCardAccount.ts'

const maker = { madeBy: 'worker', prover: provers.worker } as const
export const appKey = new Secret(appKeyText)
const chains = [knownChain('ethereum')].flatMap((chain) => chain ?? []) as unknown as ConfiguredChain[]
export const usdc = 'ethereum:USDC'
const banks = async () => ({
  banks: [{ id: bankId, name: 'Guaranty Trust Bank', code: '058', countryCode: 'NG', currencies: ['NGN'] }],
  asOf: new Date(),
})
export const profile = {
  businessName: 'Ada Stores Ltd',
  registrationNumber: 'RC1234567',
  country: 'NG',
  address: '1 Marina Road, Lagos',
  phone: '+2348012345678',
  email: 'ada@stores.example',
}

export interface MadePayout {
  /** Base units of USDC. */
  amount?: bigint
  accountNumber?: string
  price?: BankPrice | null
  sessionId?: string
}

/** Businesses with money, and payouts of them to a bank account, as the api and the worker store them. */
export interface PayoutMakers {
  /** With a legal profile and this much money. */
  business(available: bigint, options?: { hasProfile?: boolean }): Promise<string>
  make(businessId: string, wanted?: MadePayout): Promise<Outflow>
  /** Saves a bank account that can be paid. @returns its id */
  destinationOf(businessId: string, accountNumber: string): Promise<string>
}

/**
 * A worker's context of bank payouts on a database of its own, with the partner's stand-in, whose clock
 * stands.
 */
export interface BankPayouts extends PayoutMakers {
  db: ModelDb
  databaseUrl: string
  standIn: YellowCardStandIn
  ctx: OutflowsContext
  alarms: PartnerAlarm[]
  read(id: string): Promise<Outflow>
  /** Everything is due, whatever it waits for; each row takes a step. */
  stepAll(): Promise<void>
  /** Time passes in our database too, for what was submitted. */
  age(ms: number): Promise<void>
  close(): Promise<void>
}

/** @param more the timeout of a request to the partner, and how long its balance is kept */
export async function openBankPayouts(
  options: YellowCardOptions = {},
  { timeoutMs = 20_000, fundsMs = 0 } = {},
): Promise<BankPayouts> {
  const [database, standIn] = await Promise.all([
    createTestDatabase(10),
    startYellowCard(credentials, 0, { still: true, ...options }),
  ])
  const { db } = database
  const account = { ...accountAt(standIn), timeoutMs }
  const log = createLog('test', 'silent')
  const payments = createPaymentPartner(account)
  const alarms: PartnerAlarm[] = []
  const ctx: OutflowsContext = {
    db,
    log,
    chains,
    accountsOf: async (chain) => {
      throw new Error(`${chain} is not read here`)
    },
    purposes: [],
    environment: 'test',
    appKey,
    outflowEvents: outflowEventsFor(appKey),
    maker,
    partner: {
      payments,
      rates: createRates({
        partner: createYellowCard(account),
        breaker: async (rates) => [...rates],
        log,
        maxAgeSeconds: 900,
      }),
      prices: { maxAgeMs: 1_800_000, maxFallPercent: '1', maxAboveWorthPercent: '2' },
      funds: createPartnerFunds(db, payments, fundsMs),
      alarm: (what) => void alarms.push(what),
      proofs,
    },
    screening: null,
    coinUsd: new Map(),
    pollMs: 1,
    observe: () => {},
  }
  return {
    db,
    databaseUrl: database.url,
    standIn,
    ctx,
    alarms,
    ...payoutMakers(db),
    async read(id) {
      const [outflow] = await readOutflows(db, 'id = $1', [id])
      if (!outflow) throw new Error(`there is no outflow ${id}`)
      return outflow
    },
    async stepAll() {
      await db.query('update outflows set next_at = now() where next_at is not null')
      const due = await dueOutflows(db)
      const turns = due.values()
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (const id of turns) await stepOutflow(ctx, id)
        }),
      )
    },
    async age(ms) {
      await db.query(
        `update outflows set submitted_at = submitted_at - $1 * interval '1 ms', absent_since = absent_since - $1 * interval '1 ms'
         where submitted_at is not null`,
        [ms],
      )
    },
    async close() {
      await standIn.close()
      await database.drop()
    },
  }
}

export function payoutMakers(db: ModelDb): PayoutMakers {
  const destinations = new Map<string, string>()

  async function destinationOf(businessId: string, accountNumber: string): Promise<string> {
    const key = `${businessId} ${accountNumber}`
    const known = destinations.get(key)
    if (known) return known
    const wanted = { networkId: bankId, accountNumber, accountName: 'Ken Adams' }
    const { id } = await createDestination(
      { db, chains, banks, appKey, prover: provers.api, requestKey: createRequestKey({ db, appKey }) },
      businessId,
      wanted,
      async () => {},
    )
    await makeUsable(db, id)
    destinations.set(key, id)
    return id
  }

  return {
    destinationOf,
    async business(available, { hasProfile = true } = {}) {
      const businessId = newId()
      await insertBusiness(db, businessId, 'pays', { fee: 1, margin: 0.5 })
      if (hasProfile) await setLegalProfile({ db, appKey }, systemActor('test'), businessId, profile)
      const cause = { kind: 'adjustment', id: newId() } as const
      const postings = [
        { account: platformAccount('capital', usdc), amount: available },
        { account: { name: 'available', businessId, asset: usdc } as const, amount: -available },
      ]
      await db.tx((tx) => post(tx, [{ kind: 'adjustment', businessId, cause, step: 1, postings }]))
      return businessId
    },
    async make(
      businessId,
      { amount = 10_000_000n, accountNumber = '1111111111', price = null, sessionId } = {},
    ) {
      const destinationId = await destinationOf(businessId, accountNumber)
      return db.tx(async (tx) => {
        const { outflow, entries } = await storeOutflow(maker, tx, {
          kind: 'payout',
          businessId,
          ...(sessionId && { sessionId }),
          status: 'pending',
          chain: 'ethereum',
          token: 'USDC',
          amount,
          destinationId,
          wallet: null,
          bank: { partner: 'yellowcard', networkId: bankId, currency: 'NGN', price },
        })
        await post(tx, entries)
        return outflow
      })
    },
  }
}
