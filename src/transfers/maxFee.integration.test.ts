import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { transfersWith } from '../../test/support/purposes.ts'
import { knownChain } from '../chains/registry.ts'
import type { ActionPlan, Terms } from '../chains/sending.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import type { SendingChain } from '../txmgr/context.ts'
import type { KeySendingContext } from '../txmgr/sendNow.ts'
import { createTransfer } from './createTransfer.ts'
import { prepareTransfer } from './prepareTransfer.ts'

/** A node that reports a fee above the limit. */

const key = `0x${'6'.repeat(64)}` as const
const from = privateKeyToAccount(key).address.toLowerCase()
const businessId = newId()
let database: TestDatabase
let ctx: KeySendingContext

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId, 'one')
  const ethereum = ethereumOf()
  const terms: Terms = {
    gas: '21000',
    maxFeePerGas: '1000000000',
    maxPriorityFeePerGas: '1000000000',
    l1Fee: '0',
  }
  const plan: ActionPlan = {
    terms,
    fee: { expected: 1n, max: ethereum.maxFee + 1n },
    otherCosts: 0n,
    shortages: [],
  }
  const sender: Partial<SendingChain['sender']> = {
    plan: async () => plan,
    nextNonce: async () => 0n,
    broadcast: async () => ({ status: 'accepted', message: null }),
  }
  const sending = { chain: ethereum, builder: await transferBuilder(ethereum), sender } as SendingChain
  ctx = {
    db: database.db,
    log: createLog('test', 'silent'),
    sendingChain: async () => sending,
    purposes: transfersWith(),
    observe: () => {},
    ofAddress: createOneByOne(),
    prover: provers.api,
  } as unknown as KeySendingContext
})
afterAll(() => database?.drop())

function ethereumOf() {
  const chain = knownChain('ethereum')
  if (!chain) throw new Error('no ethereum')
  return { ...chain, rpcUrls: [], wsUrls: [] } as unknown as SendingChain['chain']
}

const wanted = (gasPrice: bigint | null) => {
  const chain = ethereumOf()
  const transfer = {
    kind: 'transfer' as const,
    to: `0x${'0'.repeat(38)}aa`,
    token: null,
    amount: 1n,
    memo: null,
    gasPrice,
    gasLimit: null,
  }
  return { chain, transfer, symbol: 'ETH', decimals: 18, businessId, from }
}
const ways = {
  'that the customer signs': (gasPrice: bigint | null) =>
    prepareTransfer(ctx, wanted(gasPrice), async () => {}),
  'with a key of the request': (gasPrice: bigint | null) =>
    createTransfer(ctx, { ...wanted(gasPrice), key: new Secret(key) }, async () => {}),
}

test.each(Object.entries(ways))(
  'a transfer %s is refused when its fee may be more than the chain allows',
  async (_way, make) => {
    await expect(make(null)).rejects.toMatchObject({ status: 422, error: 'fee_too_high' })
    expect(
      await database.db.query('select id from prepared_transfers union all select id from intents'),
    ).toEqual([])
  },
)

test.each(Object.entries(ways))(
  'a transfer %s at a price that its caller names is made',
  async (_way, make) => {
    expect(await make(1_000_000_000n)).toMatchObject({ chain: 'ethereum' })
  },
)
