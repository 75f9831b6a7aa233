import { type Chain, knownChain } from '../../../src/chains/registry.ts'
import { transferBuilder } from '../../../src/chains/transferBuilders.ts'
import { newId } from '../../../src/platform/ids.ts'
import { Secret } from '../../../src/platform/secrets.ts'
import { createLog } from '../../../src/platform/telemetry/log.ts'
import { type SigningContext, signPending } from '../../../src/txmgr/signPending.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addressOf, keyOf } from '../../support/evmIntents.ts'
import { proofs } from '../../support/intentKeys.ts'
import { insertBusiness } from '../../support/madeBusiness.ts'
import { transfersWith, walletsWith } from '../../support/purposes.ts'

/** The database, the treasury and the counters of the histories, which run one after the other. */

export interface Wallet {
  id: string
  address: string
  key: ReturnType<typeof keyOf>
}

export interface Stage {
  database: TestDatabase
  /** Each history has a business and wallets of its own. */
  newBusiness(): Promise<string>
  newWallet(businessId: string): Promise<Wallet>
  /** Signs all requests, up to the ceiling of the history that runs. */
  sign(rules: Rules): Promise<void>
  /** Moves the past back, which is the same as time that passes. */
  wait(businessId: string, ms: number): Promise<void>
  /** Occurrences of each event, over all histories. */
  events: Map<string, number>
}

export const log = createLog('test', 'silent')

/** Instants that a proof contains stay. */
const proven = ['created_at', 'valid_until']

export type Rules = Chain & { maxFee: bigint }

export function rulesOf(maxFee: bigint): Rules {
  const known = knownChain('ethereum')
  if (!known) throw new Error('no ethereum')
  return { ...known, confirmations: 3, finalizedDepth: 8, blockMs: 2000, maxFee }
}

export async function openStage(): Promise<Stage> {
  const database = await createTestDatabase(8)
  const { db } = database
  const keyId = newId()
  await db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
    [keyId],
  )
  const keys = new Map<string, Wallet['key']>()
  const columns = await db.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema() and table_name in ('intents', 'intent_attempts') and data_type = 'timestamp with time zone'`,
  )
  const moved = (table: string) =>
    columns
      .filter((each) => each.table === table && !(table === 'intents' && proven.includes(each.column)))
      .map(({ column }) => `${column} = ${column} - $2 * interval '1 millisecond'`)
      .join(', ')
  const ofBusiness = 'intent_id in (select id from intents where business_id = $1)'
  let made = 0

  return {
    database,
    events: new Map(),
    async newBusiness() {
      const id = newId()
      await insertBusiness(db, id, 'sender')
      return id
    },
    async newWallet(businessId) {
      const key = keyOf(900_000 + made++)
      const wallet = { id: newId(), address: addressOf(key), key }
      keys.set(wallet.id, key)
      await db.query(
        "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'ethereum', $3, '', 'private_key', $4, '')",
        [wallet.id, businessId, wallet.address, keyId],
      )
      return wallet
    },
    async sign(rules) {
      const ctx: SigningContext = {
        db,
        log,
        environment: 'test',
        proofs,
        signing: async () =>
          ({ chain: rules, builder: await transferBuilder(rules) }) as unknown as Awaited<
            ReturnType<SigningContext['signing']>
          >,
        signers: walletsWith(async (_tx, id) => new Secret(keys.get(id) ?? '')),
        purposes: transfersWith(),
        signed: () => {},
      }
      await signPending(ctx)
    },
    async wait(businessId, ms) {
      await db.query(`update intents set ${moved('intents')} where business_id = $1`, [businessId, ms])
      await db.query(`update intent_attempts set ${moved('intent_attempts')} where ${ofBusiness}`, [
        businessId,
        ms,
      ])
    },
  }
}
