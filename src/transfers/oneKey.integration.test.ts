import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import { type EvmDevnet, startEvmDevnet } from '../../test/devnets/evm.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { defaultSettings } from '../../test/support/defaultSettings.ts'
import { addressOf, intentOf, keyOf } from '../../test/support/evmIntents.ts'
import { type Change, changed, sendingOn } from '../../test/support/evmSending.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { transfersWith } from '../../test/support/purposes.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { RpcError } from '../chains/providers/jsonRpc.ts'
import { usualTimes } from '../platform/database/db.ts'
import { openModelDb } from '../platform/database/modelDb.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import type { SendingChain } from '../txmgr/context.ts'
import type { KeySendingContext } from '../txmgr/sendNow.ts'
import { createTransfer } from './createTransfer.ts'

/** Several transfers of one key at once; the sender can pay for each alone. No worker reconciles them. */

let database: TestDatabase
let devnet: EvmDevnet
let node: ReturnType<typeof sendingOn>
let change: Change
let ctx: KeySendingContext
let businessId: string

const asItIs: Change = (_method, _params, truth) => truth()
const recipient = addressOf(keyOf(7))
const coin = 10n ** 18n

beforeAll(async () => {
  ;[database, devnet] = await Promise.all([
    createTestDatabase(),
    startEvmDevnet({ chain: 'ethereum', blockSeconds: 0 }),
  ])
  businessId = newId()
  await insertBusiness(database.db, businessId, 'sender')
  node = sendingOn(devnet, {}, [changed(devnet.rpcUrl, 'node', (...asked) => change(...asked))])
  const chain = {
    chain: node.ctx.chain,
    builder: node.builder,
    sender: node.sender,
  } as unknown as SendingChain
  ctx = {
    db: database.db,
    log: createLog('test', 'silent'),
    sendingChain: async () => chain,
    prover: provers.api,
    purposes: transfersWith(),
    reconcileMs: 1,
    bumpAfterMs: null,
    unminableMs: 1,
    feeWaitMs: 3_600_000,
    settings: defaultSettings,
    environment: 'test',
    observe: () => {},
    ofAddress: createOneByOne(),
  }
})
beforeEach(() => {
  change = asItIs
})
afterAll(async () => {
  await node?.ctx.providers.close()
  await devnet?.stop()
  await database?.drop()
})

let keys = 4000
/** Sends from an address of its own: so much of the coin, or of a token. */
async function sender(coins: bigint, tokens = 0n, by = ctx) {
  const key = keyOf(keys++)
  const from = addressOf(key)
  await node.fund(from, coins)
  if (tokens > 0n) await node.call('anvil_dealERC20', from, devnet.usdc, numberToHex(tokens))
  return async (amount: bigint, token: typeof node.usdc | null = null): Promise<string> => {
    const [symbol, decimals] = token ? [token.symbol, token.decimals] : ['ETH', 18]
    const chain = node.ctx.chain as SendingChain['chain']
    const wanted = {
      chain,
      transfer: intentOf({ from, to: recipient, amount, token }),
      symbol,
      decimals,
      businessId,
      from,
      key: new Secret(key),
    }
    return createTransfer(by, wanted, async () => {}).then(
      ({ status }) => status,
      ({ error, missing }) => `${error} ${missing?.missing}`,
    )
  }
}

test('transfers of the coin that the balance does not cover are refused, with the missing amount: no later one waits behind one that no node accepts', async () => {
  const send = await sender(10n * coin)
  const said = await Promise.all([send(4n * coin), send(4n * coin), send(4n * coin)])
  expect(said.filter((each) => each === 'pending')).toHaveLength(2)
  expect(said.filter((each) => /^insufficient_native_balance 2\.0/.test(each))).toHaveLength(1)
  expect(await send(coin)).toBe('pending')
})

test('the same for a token, whose transfer the network would accept and revert; each token counts separately', async () => {
  const send = await sender(10n * coin, 10_000_000n)
  const tokens = () => send(4_000_000n, node.usdc)
  const said = await Promise.all([tokens(), tokens(), tokens()])
  expect(said.toSorted()).toEqual(['insufficient_balance 2', 'pending', 'pending'])
  expect(await send(9n * coin)).toBe('pending')
})

test('a transfer in a block is not counted again, even before it is reconciled', async () => {
  const send = await sender(10n * coin)
  expect(await send(6n * coin)).toBe('pending')
  await node.mine()
  expect(await send(3n * coin)).toBe('pending')
  expect(await send(2n * coin)).toMatch(/^insufficient_native_balance 1\.0/)
})

test('if no node knows the named block, only transfers that cannot be paid for alone are refused', async () => {
  const send = await sender(10n * coin)
  expect(await send(6n * coin)).toBe('pending')
  change = async (method, params, truth) => {
    if (method === 'eth_getBalance' && params[1] !== 'latest')
      throw new RpcError(`node: ${method}`, -32000, 'header not found')
    return truth()
  }
  expect(await send(5n * coin)).not.toMatch(/insufficient/)
})

test('many transfers of one address use one database connection at a time: others are served meanwhile, and all are sent', async () => {
  const [connections, many] = [2, 6]
  const db = openModelDb(database.url, connections, { ...usualTimes, waitMs: 20_000 })
  let asked = 0
  const ofAddress = createOneByOne()
  const by: KeySendingContext = {
    ...ctx,
    db,
    ofAddress(key, work) {
      asked++
      return ofAddress(key, work)
    },
  }
  try {
    const send = await sender(10n * coin, 0n, by)
    const { sent } = await database.db.tx(async (tx) => {
      // Every transaction on it waits.
      await tx.query('lock table intents in share row exclusive mode')
      const sent = Promise.all(Array.from({ length: many }, () => send(coin / 100n)))
      await waitFor('all of them to request their turn', async () => asked === many)
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
      return { sent }
    })
    expect(await sent).toEqual(Array(many).fill('pending'))
  } finally {
    await db.close()
  }
})
