import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { type EvmDevnet, startEvmDevnet } from '../../test/devnets/evm.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addressOf, intentOf, keyOf } from '../../test/support/evmIntents.ts'
import { type Change, changed, sendingOn } from '../../test/support/evmSending.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import { Secret } from '../platform/secrets.ts'
import type { OutgoingContext, SendingChain } from './context.ts'
import { lookAtOutgoing } from './look.ts'
import { insertOutgoing, readOutgoing, readTransactions, storeSigned, voidTransactions } from './outgoing.ts'
import { signWanted } from './signWanted.ts'

/** Transfers of stored wallets by worker and treasury, on a node and a database; a look and a signature come when a test says so. */

let database: TestDatabase
let devnet: EvmDevnet
let node: ReturnType<typeof sendingOn>
let by: ReturnType<typeof sendingOn>
/** What stands before the node. */
let change: Change
let ctx: OutgoingContext
let ids: { business: string; key: string }
/** Runs in a look, after it was claimed and before anything is read. */
let inLook: () => Promise<unknown>
/** Runs in the treasury, after it has read what is wanted and before it stores the signature. */
let inTreasury: () => Promise<unknown>

const asItIs: Change = (_method, _params, truth) => truth()
const nothing = async () => {}
const recipient = addressOf(keyOf(7))

beforeAll(async () => {
  ;[database, devnet] = await Promise.all([createTestDatabase(), startEvmDevnet({ chain: 'bsc', blockSeconds: 0 })])
  ids = { business: newId(), key: newId() }
  const { db } = database
  await db.query("insert into businesses (id, name) values ($1, 'sender')", [ids.business])
  await db.query("insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())", [
    ids.key,
  ])
  const rules = { confirmations: 1, finalizedDepth: 2 }
  node = sendingOn(devnet, rules)
  by = sendingOn(devnet, rules, [changed(devnet.rpcUrl, 'node', (...asked) => change(...asked))])
  const chain = { chain: by.ctx.chain, builder: by.builder, sender: by.sender } as unknown as SendingChain
  ctx = {
    db,
    log: createLog('test', 'silent'),
    sendingChain: async () => {
      await inLook()
      return chain
    },
    onChange: { transfer: nothing },
    lookMs: 1,
    stuckMs: 1,
    goneMs: 60_000,
    observe: () => {},
  }
})
beforeEach(() => {
  change = asItIs
  inLook = nothing
  inTreasury = nothing
})
afterAll(async () => {
  await Promise.all([node, by].map((each) => each?.ctx.providers.close()))
  await devnet?.stop()
  await database?.drop()
})

let keys = 3000
/** A transfer of a stored wallet of its own that was just asked for, as far as worker and treasury have come with it by themselves. */
async function asked() {
  const key = keyOf(keys++)
  const from = addressOf(key)
  await node.fund(from, 10n ** 18n)
  const walletId = newId()
  await database.db.query(
    "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'bsc', $3, '', 'private_key', $4, '')",
    [walletId, ids.business, from, ids.key],
  )
  const wanted = { businessId: ids.business, purpose: 'transfer', chain: 'bsc', signer: 'wallet', walletId, symbol: 'BNB', decimals: 18 } as const
  const { id } = await database.db.tx((tx) => insertOutgoing(tx, { ...wanted, intent: intentOf({ from, to: recipient, amount: 5n }) }, 0))
  const treasury = () =>
    signWanted({
      db: database.db,
      log: ctx.log,
      signing: async () => ({ chain: by.ctx.chain, builder: by.builder }),
      openWallet: async () => {
        await inTreasury()
        return new Secret(key)
      },
      onChange: ctx.onChange,
      signed: () => {},
    })
  const look = async () => {
    await database.db.query("update outgoing set next_look_at = now() - interval '1 s' where id = $1", [id])
    await lookAtOutgoing(ctx, id)
  }
  return {
    id,
    look,
    treasury,
    row: async () => (await readOutgoing(database.db, 'id = $1', [id]))[0],
    transactions: () => readTransactions(database.db, id),
    /** Planned, signed, and sent. */
    async send() {
      await look()
      await treasury()
      await look()
      expect((await readTransactions(database.db, id)).map((each) => [each.sequence, each.sends])).toEqual([[0n, 1]])
    },
    /** What its owner sends with the same key. */
    async ownerSends() {
      const terms = { gas: '21000', maxFeePerGas: '900000000000', maxPriorityFeePerGas: '900000000000', l1Fee: '0' }
      return (await node.sender.broadcast(node.sign(intentOf({ from, to: from }), terms, 0n, key))).status
    },
    count: async () => BigInt((await node.call('eth_getTransactionCount', from, 'latest')) as Hex),
    /** As if nobody had looked for so long. */
    waits: (seconds: number) =>
      database.db.query("update outgoing set gone_since = gone_since - $2 * interval '1 second' where id = $1", [id, seconds]),
  }
}

/** Of two nodes behind one name the one that is asked for receipts has not read the last blocks. */
const receiptsAreBehind: Change = async (method, _params, truth) => (method === 'eth_getTransactionReceipt' ? null : truth())

describe('a nonce that is used, by one node, while another one behind the same name has no receipt', () => {
  test('may be used by our own transaction: nothing is signed in its place', async () => {
    const one = await asked()
    await one.send()
    await node.mine(20)
    change = receiptsAreBehind
    await one.look()
    await one.waits(59)
    await one.look()
    change = asItIs
    await one.look()
    await one.treasury()
    expect(await one.row()).toMatchObject({ status: 'confirmed', settled: true, renewals: 0 })
    expect([(await one.transactions()).length, await one.count()]).toEqual([1, 1n])
  })

  test('begins its minute afresh whenever anything else is said', async () => {
    const one = await asked()
    await one.send()
    await node.mine(20)
    change = receiptsAreBehind
    await one.look()
    await one.waits(61)
    // The node that is asked for the nonce is behind, for once.
    change = (method, params, truth) => (method === 'eth_getTransactionCount' ? Promise.resolve('0x0') : receiptsAreBehind(method, params, truth))
    await one.look()
    change = receiptsAreBehind
    await one.look()
    await one.look()
    expect(await one.row()).toMatchObject({ status: 'broadcast', renewals: 0 })
    expect((await one.transactions()).every((each) => !each.isVoid)).toBe(true)
  })

  test('was used by its owner where that is said for a minute: the transfer is signed anew, once', async () => {
    const one = await asked()
    await one.send()
    expect(await one.ownerSends()).toBe('accepted')
    await node.mine(20)
    await one.look()
    expect(await one.row()).toMatchObject({ status: 'broadcast', renewals: 0 })
    await one.waits(61)
    await one.look()
    expect(await one.row()).toMatchObject({ status: 'created', renewals: 1, goneForMs: 0 })
    await one.look()
    await one.treasury()
    await one.look()
    await node.mine(20)
    await one.look()
    expect(await one.row()).toMatchObject({ status: 'confirmed', renewals: 1 })
    expect((await one.transactions()).map((each) => [each.sequence, each.isVoid])).toEqual([
      [0n, true],
      [1n, false],
    ])
  })
})

describe('terms that nobody has signed in time', () => {
  const isOld = "update outgoing_transactions set created_at = now() - interval '1 hour' where outgoing_id = $1"

  test('are not given up while the treasury signs them: the row lives', async () => {
    const one = await asked()
    await one.look()
    await database.db.query(isOld, [one.id])
    let goOn: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let signing: Promise<unknown> = Promise.resolve()
    inLook = async () => {
      inLook = nothing
      await new Promise<void>((resolve, reject) => {
        inTreasury = () => {
          resolve()
          return held
        }
        signing = one.treasury().then(() => reject(new Error('the treasury opened no wallet')))
      })
    }
    const looking = one.look()
    // Whatever the look does, it comes to a lock that the treasury has.
    await waitFor('a look that waits for the treasury', async () => {
      const [blocked] = await database.db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'",
      )
      return blocked
    })
    goOn()
    await Promise.all([signing.catch(nothing), looking])
    expect(await one.row()).toMatchObject({ status: 'signed' })
    expect(await one.transactions()).toMatchObject([{ isVoid: false, sequence: 0n, signed: expect.anything() }])
  })

  test('and were given up are never signed', async () => {
    const one = await asked()
    await one.look()
    await database.db.tx((tx) => voidTransactions(tx, one.id, [0], 'test'))
    const signed = { txId: '0x1', bytes: Buffer.from('1'), expiry: null }
    await expect(database.db.tx((tx) => storeSigned(tx, one.id, 0, signed))).rejects.toThrow('given up')
    expect(await one.transactions()).toMatchObject([{ isVoid: true, sent: null }])
  })
})

test('what its owner sent with the same nonce, and still waits, is not thrown out by a dearer transfer', async () => {
  const one = await asked()
  await one.look()
  await one.treasury()
  expect(await one.ownerSends()).toBe('accepted')
  for (let looks = 0; looks < 4; looks++) {
    await one.look()
    await one.treasury()
  }
  expect(await one.transactions()).toMatchObject([{ number: 0, isOutbid: true, acceptedAt: null }])
  // It is given up by its owner: ours goes, and is raised as ever where that does not suffice.
  await node.call('anvil_dropAllTransactions')
  await one.look()
  expect(await one.transactions()).toMatchObject([{ isOutbid: false, acceptedAt: expect.any(Date) }])
  await waitFor('a dearer one', async () => {
    await one.look()
    return (await one.transactions()).length > 1
  })
})
