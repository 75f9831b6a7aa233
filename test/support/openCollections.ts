import { systemActor } from '../../src/audit/recordAudit.ts'
import { type ConfiguredChain, knownChain } from '../../src/chains/registry.ts'
import { createChannelList } from '../../src/collections/channelList.ts'
import { type Collection, readCollections } from '../../src/collections/collection.ts'
import type { CollectionAlarm } from '../../src/collections/context.ts'
import {
  type CreateCollectionContext,
  type CreatedCollection,
  createCollection,
} from '../../src/collections/createCollection.ts'
import { dueCollections } from '../../src/collections/dueCollections.ts'
import type { CollectionWanted } from '../../src/collections/readCollection.ts'
import { type StepContext, stepCollection } from '../../src/collections/stepCollection.ts'
import { setLegalProfile } from '../../src/outflows/bank/legalProfile.ts'
import { createCollectionPartner } from '../../src/partners/yellowcard/collectionPartner.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { startYellowCard, type YellowCardOptions, type YellowCardStandIn } from '../partners/yellowcard.ts'
import { appKey, profile } from './bankPayouts.ts'
import { createTestDatabase } from './database.ts'
import { insertBusiness } from './madeBusiness.ts'
import { accountAt, credentials } from './yellowCardAccount.ts'

const chains = (['ethereum', 'base', 'polygon', 'bsc', 'solana', 'tron', 'stellar'] as const).flatMap(
  (name) => {
    const chain = knownChain(name)
    return chain ? { ...chain, tokens: chain.tokens.filter(({ contract }) => contract !== '') } : []
  },
) as unknown as ConfiguredChain[]

export const wallet = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe'
export const recipient = {
  name: 'Ada Obi',
  country: 'NG',
  phone: '+2348012345678',
  address: '1 Canary Road, Lagos',
  dob: '1997-02-01',
  email: 'ada@example.com',
  idNumber: 'canary-0123456789',
  idType: 'NIN',
  additionalIdType: 'BVN',
  additionalIdNumber: 'canary-22123456789',
}

/**
 * A request for a collection of a hundred dollars in naira, settled on base; its payer waits for the test.
 */
export const collectionWanted = (more: Partial<CollectionWanted> = {}): CollectionWanted => ({
  amount: '162000',
  currency: 'NGN',
  country: 'NG',
  walletAddress: wallet,
  cryptoCurrency: 'USDC',
  cryptoNetwork: 'base',
  recipient,
  source: { accountType: 'bank' },
  ...more,
})

/** Collections on a database of its own, with the partner's stand-in, whose clock stands. */
export interface OpenCollections {
  db: ModelDb
  databaseUrl: string
  standIn: YellowCardStandIn
  ctx: StepContext & CreateCollectionContext
  alarms: CollectionAlarm[]
  /** With a legal profile. */
  business(): Promise<string>
  create(businessId: string, more?: Partial<CollectionWanted>): Promise<CreatedCollection>
  read(id: string): Promise<Collection>
  /** Everything that is requested alone is due; each row takes a step. */
  stepAll(): Promise<void>
  /** Time passes in our database too, for what was submitted. */
  age(ms: number): Promise<void>
  /** Types of the events of a business, in their order. */
  events(businessId: string): Promise<string[]>
  /** Paths of POSTs that made a collection. */
  submits(): number
  close(): Promise<void>
}

export async function openCollections(
  options: YellowCardOptions = {},
  { timeoutMs = 20_000 } = {},
): Promise<OpenCollections> {
  const [database, standIn] = await Promise.all([
    createTestDatabase(10),
    startYellowCard(credentials, 0, { still: true, ...options }),
  ])
  const { db } = database
  const account = { ...accountAt(standIn), timeoutMs }
  const partner = createCollectionPartner(account)
  const alarms: CollectionAlarm[] = []
  const ctx = {
    db,
    log: createLog('test', 'silent'),
    appKey,
    chains,
    partner,
    channels: createChannelList(partner),
    alarm: (what: CollectionAlarm) => void alarms.push(what),
    turn: async () => {},
    pollMs: 1,
    environment: 'test' as const,
  }
  return {
    db,
    databaseUrl: database.url,
    standIn,
    ctx,
    alarms,
    async business() {
      const businessId = newId()
      await insertBusiness(db, businessId, 'collects', { fee: 1, margin: 0.5 })
      await setLegalProfile({ db, appKey }, systemActor('test'), businessId, profile)
      return businessId
    },
    create: (businessId, more) => createCollection(ctx, businessId, collectionWanted(more), async () => {}),
    async read(id) {
      const [collection] = await readCollections(db, 'id = $1', [id])
      if (!collection) throw new Error(`there is no collection ${id}`)
      return collection
    },
    async stepAll() {
      await db.query('update fiat_collections set next_at = now() where next_at is not null')
      for (const id of await dueCollections(db)) await stepCollection(ctx, id)
    },
    async age(ms) {
      await db.query(
        `update fiat_collections set submitted_at = submitted_at - $1 * interval '1 ms', absent_since = absent_since - $1 * interval '1 ms'
         where submitted_at is not null`,
        [ms],
      )
    },
    async events(businessId) {
      const rows = await db.query<{ type: string }>(
        'select type from events where business_id = $1 order by sequence',
        [businessId],
      )
      return rows.map(({ type }) => type)
    },
    submits: () => standIn.asked.filter((path) => path === '/business/receive').length,
    async close() {
      await standIn.close()
      await database.drop()
    },
  }
}
