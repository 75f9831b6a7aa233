import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import { type Address, type Hex, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainName } from '../../src/chains/registry.ts'
import { createRequestKey } from '../../src/custody/requestKey.ts'
import { storedKey } from '../../src/platform/database/idempotency.ts'
import type { SendingFailpoint } from '../../src/platform/failpoints.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { rpc } from '../devnets/evm.ts'
import type { ApiAnswer, ProgramName, Stack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { baseFeeIs, priceNow, sendOutside } from './evmPool.ts'
import {
  newPair,
  normalOf,
  type Pair,
  rowOf,
  sendFromWallet,
  sendWithKey,
  storeWallet,
  type TransferBody,
  transactionsOf,
  transferBody,
  walletOf,
} from './sending.ts'

/** A transfer whose process is killed. */
export interface Doomed {
  pair: Pair
  /** `Idempotency-Key` of the request, and name of the proof file. */
  key: string
  /** Transactions of the sender outside of the platform. */
  others: number
  walletId: string
  transferId: string
  prepared: { id: string; payload: Hex } | null
}

export async function doomedTransfer(stack: Stack, chain: ChainName, name: string): Promise<Doomed> {
  return {
    pair: await newPair(stack, chain),
    key: `${name} ${chain}`.replace(/\W+/g, '-'),
    others: 0,
    walletId: '',
    transferId: '',
    prepared: null,
  }
}

export interface Scenario {
  process: ProgramName
  /** Sets up state before the doomed process starts. */
  before?(stack: Stack, doomed: Doomed): Promise<unknown>
  /** Sets up state that a regular process would not leave alone. */
  stopped?(stack: Stack, doomed: Doomed): Promise<unknown>
  /** Makes the process reach its failpoint. */
  cause(stack: Stack, doomed: Doomed): Promise<unknown>
  /** Checks state before the killed process is replaced. */
  killed?(stack: Stack, doomed: Doomed): Promise<unknown>
  /** The client's next step after the restart. @returns the transfer's id */
  transfer(stack: Stack, doomed: Doomed): Promise<string>
  /** It ends as cancelled, and moves nothing. */
  cancelled?: true
  /** Further checks at the end. */
  after?(stack: Stack, doomed: Doomed, id: string): Promise<unknown>
}

/** A request to a process that is killed before it answers. @throws when it answers */
async function unanswered(asked: Promise<ApiAnswer<unknown>>): Promise<void> {
  const answer = await asked.catch(() => null)
  if (answer) throw new Error(`the request was answered: ${answer.status} ${JSON.stringify(answer.body)}`)
}

async function rowsOf({ db }: Stack, { pair }: Doomed) {
  const [row] = await db.query(
    `select (select count(*)::int from intents where from_address = $1) as rows,
       (select count(*)::int from intent_nonces where address = $1) as nonces`,
    [normalOf(pair)],
  )
  return row
}

/** Repeats a request that was carried out: the answer is replayed. */
async function repeated(stack: Stack, ask: () => Promise<ApiAnswer<{ id: string }>>): Promise<string> {
  const again = await ask()
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toMatchObject([
    expect.any(Number),
    'true',
    { id: expect.any(String) },
  ])
  expect(await rowOf(stack, again.body.id)).toBeDefined()
  return again.body.id
}

/**
 * Nothing was stored of a request. Repeated during its lease, it is refused: right after the kill, as other
 * cases may take longer than the lease.
 */
async function refusedDuringLease(
  stack: Stack,
  doomed: Doomed,
  ask: () => Promise<ApiAnswer<{ id: string }>>,
): Promise<void> {
  await nothingStored(stack, doomed)
  expect((await ask()).body).toMatchObject({ error: 'request_in_progress' })
}

/** Repeats a request of which nothing was stored: it is carried out after the lease of the first. */
async function retriedAfterLease(
  stack: Stack,
  doomed: Doomed,
  ask: () => Promise<ApiAnswer<{ id: string }>>,
): Promise<string> {
  const over = "update idempotency_keys set lease_until = now() - interval '1 second' where key = $1"
  const requestKey = createRequestKey({ db: stack.db, appKey: new Secret(appKey) })
  await stack.db.query(over, [storedKey(await requestKey(), doomed.key)])
  const carriedOut = await ask()
  expect([carriedOut.status, carriedOut.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(await repeated(stack, ask)).toBe(carriedOut.body.id)
  return carriedOut.body.id
}

const nothingStored = async (stack: Stack, doomed: Doomed) =>
  expect(await rowsOf(stack, doomed)).toEqual({ rows: 0, nonces: 0 })

const withKey = (stack: Stack, { pair, key }: Doomed) => sendWithKey(stack, pair, key)
const stored: Scenario = {
  process: 'api',
  cause: (stack, doomed) => unanswered(withKey(stack, doomed)),
  transfer: (stack, doomed) => repeated(stack, () => withKey(stack, doomed)),
}

async function prepare(stack: Stack, doomed: Doomed): Promise<ApiAnswer<{ id: string; payload: Hex }>> {
  const { pair, key } = doomed
  const body = { chain: pair.chain, fromAddress: pair.from.address, ...transferBody(pair) }
  const answer = await stack.api<{ id: string; payload: Hex }>('POST', '/crypto/transfers/prepare', body, {
    'idempotency-key': `${key}-prepare`,
  })
  doomed.prepared = answer.body
  return answer
}

/** Signs the prepared transaction with viem. */
async function submit(stack: Stack, { pair, key, prepared }: Doomed): Promise<ApiAnswer<TransferBody>> {
  if (!prepared) throw new Error('no transaction was prepared')
  const account = privateKeyToAccount(pair.from.privateKey as Hex)
  const payload = await account.signTransaction(parseTransaction(prepared.payload))
  return stack.api(
    'POST',
    '/crypto/transfers/submit',
    { id: prepared.id, payload },
    { 'idempotency-key': key },
  )
}

const submitting: Scenario = {
  process: 'api',
  before: prepare,
  cause: (stack, doomed) => unanswered(submit(stack, doomed)),
  transfer: (stack, doomed) => repeated(stack, () => submit(stack, doomed)),
  after: async (stack, doomed, id) => {
    // Without the idempotency key too: the prepared transaction has become this transfer.
    expect((await submit(stack, { ...doomed, key: `${doomed.key}-again` })).body).toMatchObject({
      id,
      status: 'confirmed',
    })
  },
}

/** Scenarios of the API for transfers that the client signs. */
export const submitted: Partial<Record<SendingFailpoint, Scenario>> = {
  'api.transfer-claimed': {
    ...submitting,
    killed: (stack, doomed) => refusedDuringLease(stack, doomed, () => submit(stack, doomed)),
    transfer: (stack, doomed) => retriedAfterLease(stack, doomed, () => submit(stack, doomed)),
  },
  'api.transfer-signed': submitting,
  'api.transfer-sent': submitting,
  'api.transfer-recorded': submitting,
}

const queue = async (stack: Stack, doomed: Doomed) => {
  const { status, body } = await sendFromWallet(stack, doomed.pair, doomed.walletId, doomed.key)
  expect([status, body]).toMatchObject([202, { status: 'pending' }])
  doomed.transferId = body.id
}
const store = async (stack: Stack, doomed: Doomed) => {
  doomed.walletId = await walletOf(stack, doomed.pair)
}

/** The process is killed during its part of a transfer from a stored wallet. */
const fromWallet = (process: ProgramName): Scenario => ({
  process,
  before: store,
  cause: queue,
  transfer: async (_stack, { transferId }) => transferId,
})

const queued = async (stack: Stack, doomed: Doomed) => {
  await store(stack, doomed)
  await queue(stack, doomed)
}
const makeDue = (stack: Stack, id: string) =>
  stack.db.query('update intents set next_reconcile_at = now() where id = $1', [id])
const waitForBroadcast = (stack: Stack, id: string) =>
  waitFor('a transfer that was broadcast', async () => (await rowOf(stack, id))?.status === 'broadcast')

/** A stored wallet's transfer that a node accepted before the doomed worker starts. */
const waiting = async (stack: Stack, doomed: Doomed) => {
  await queued(stack, doomed)
  await waitForBroadcast(stack, doomed.transferId)
}

const cancel = (stack: Stack, { key, transferId }: Doomed) =>
  stack.api<TransferBody>('POST', `/crypto/transfers/${transferId}/cancel`, undefined, {
    'idempotency-key': `${key}-cancel`,
  })
/** Until then the transfer itself could be mined. */
const waitForNoop = (stack: Stack, { transferId }: Doomed) =>
  waitFor('a no-op in its place', async () => {
    const accepted =
      'select 1 from intent_attempts where intent_id = $1 and cancels and accepted_at is not null'
    return (await stack.db.query(accepted, [transferId])).length > 0
  })

/** A scenario for each failpoint; the type checker reports missing ones. */
export const scenarios: Record<SendingFailpoint, Scenario> = {
  'api.transfer-claimed': {
    ...stored,
    killed: (stack, doomed) => refusedDuringLease(stack, doomed, () => withKey(stack, doomed)),
    transfer: (stack, doomed) => retriedAfterLease(stack, doomed, () => withKey(stack, doomed)),
  },
  'api.transfer-signed': stored,
  'api.transfer-sent': stored,
  'api.transfer-recorded': stored,
  'api.transfer-prepared': {
    process: 'api',
    cause: (stack, doomed) => unanswered(prepare(stack, doomed)),
    killed: nothingStored,
    transfer: async (stack, doomed) => {
      const again = await prepare(stack, doomed)
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      return (await submit(stack, doomed)).body.id
    },
  },
  'api.transfer-queued': {
    process: 'api',
    before: store,
    cause: (stack, doomed) => unanswered(sendFromWallet(stack, doomed.pair, doomed.walletId, doomed.key)),
    transfer: (stack, doomed) =>
      repeated(stack, () => sendFromWallet(stack, doomed.pair, doomed.walletId, doomed.key)),
  },
  'api.transfer-cancelled': {
    process: 'api',
    cancelled: true,
    before: waiting,
    cause: (stack, doomed) => unanswered(cancel(stack, doomed)),
    transfer: async (stack, doomed) => {
      await waitForNoop(stack, doomed)
      return repeated(stack, () => cancel(stack, doomed))
    },
  },
  'api.wallet-stored': {
    process: 'api',
    cause: (stack, { pair, key }) => unanswered(storeWallet(stack, pair, key)),
    transfer: async (stack, { pair, key }) => {
      const again = await storeWallet(stack, pair, key)
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      expect((await storeWallet(stack, pair)).body).toMatchObject({ error: 'wallet_exists' })
      return (await sendFromWallet(stack, pair, again.body.id)).body.id
    },
  },
  'treasury.wallet-key-stored': {
    process: 'treasury',
    stopped: async (stack) => {
      const ofWallets = "(select id from intents where signer = 'wallet')"
      for (const table of ['intent_attempts', 'intent_nonces'])
        await stack.db.query(`delete from ${table} where intent_id in ${ofWallets}`)
      for (const rows of ["intents where signer = 'wallet'", 'wallets', 'wallet_keys'])
        await stack.db.query(`delete from ${rows}`)
    },
    cause: async () => {},
    transfer: async (stack, doomed) => {
      expect(await stack.db.query('select count(*)::int as keys from wallet_keys')).toEqual([{ keys: 1 }])
      await queued(stack, doomed)
      return doomed.transferId
    },
  },
  'treasury.transfer-opened': {
    ...fromWallet('treasury'),
    killed: async (stack, doomed) => expect(await signedOf(stack, doomed)).toBe(0),
  },
  'treasury.transfer-signed': {
    ...fromWallet('treasury'),
    killed: async (stack, doomed) => expect(await signedOf(stack, doomed)).toBe(1),
  },
  'txmgr.enqueued': fromWallet('worker'),
  'txmgr.planned': fromWallet('worker'),
  'txmgr.counted': fromWallet('worker'),
  'txmgr.sent': fromWallet('worker'),
  'txmgr.recorded': fromWallet('worker'),
  'txmgr.bumped': {
    ...fromWallet('worker'),
    before: waiting,
    cause: async (stack, { transferId }) => {
      // Too high for the pending transaction, so that a replacement is needed.
      await baseFeeIs(stack, ((await priceNow(stack, transferId)) * 5n) / 4n)
      await makeDue(stack, transferId)
    },
    transfer: async (stack, { transferId }) => {
      await waitFor('the replacement', async () =>
        (await transactionsOf(stack, transferId)).some((each) => each.number > 0 && each.accepted),
      )
      return transferId
    },
    after: async (stack, _doomed, id) =>
      expect((await transactionsOf(stack, id)).filter((each) => each.sends > 0)).toHaveLength(2),
  },
  'txmgr.cancelled': {
    ...fromWallet('worker'),
    cancelled: true,
    before: waiting,
    stopped: async (stack, doomed) =>
      expect((await cancel(stack, doomed)).body).toMatchObject({ status: 'pending', reason: 'cancelling' }),
    cause: (stack, { transferId }) => makeDue(stack, transferId),
    transfer: async (stack, doomed) => {
      await makeDue(stack, doomed.transferId)
      await waitForNoop(stack, doomed)
      return doomed.transferId
    },
  },
  'txmgr.filled': {
    ...fromWallet('worker'),
    before: async (stack, doomed) => {
      await store(stack, doomed)
      doomed.others = 1
      // Its nonce is 1: another transfer had the first one until the network refused it.
      await stack.stop('worker')
      await queue(stack, doomed)
      const first = [doomed.pair.chain, normalOf(doomed.pair)]
      await stack.db.query(
        'insert into intent_nonces (chain, address, nonce, intent_id) values ($1, $2, 0, $3)',
        [...first, doomed.transferId],
      )
      await stack.start('worker')
      await waitForBroadcast(stack, doomed.transferId)
      await stack.db.query('delete from intent_nonces where chain = $1 and address = $2 and nonce = 0', first)
    },
    cause: (stack, { transferId }) => makeDue(stack, transferId),
    killed: async (stack, doomed) => expect(await noopsOf(stack, doomed)).toMatchObject([{ nonce: 0 }]),
    transfer: async (_stack, { transferId }) => transferId,
    after: (stack, doomed) =>
      waitFor('one no-op in a block', async () => {
        expect(await noopsOf(stack, doomed)).toEqual([{ status: 'confirmed', nonce: 0 }])
        return true
      }),
  },
  'txmgr.resigned': {
    ...fromWallet('worker'),
    before: waiting,
    cause: async (stack, doomed) => {
      doomed.others = 1
      const hash = await sendOutside(stack, doomed.pair.from.privateKey as Hex, {
        nonce: 0,
        to: otherRecipient,
      })
      await recordAsOurs(stack, doomed, hash)
      await rpc(stack.devnet.rpcUrl, 'anvil_mine', ['0x10'])
      await makeDue(stack, doomed.transferId)
    },
    killed: ({ db }, { pair, transferId }) =>
      db.query(
        `with made as (delete from intents where from_address = $1 and id <> $2 returning id)
         delete from intent_attempts using made where intent_id = made.id`,
        [normalOf(pair), transferId],
      ),
    transfer: async (_stack, { transferId }) => transferId,
    after: async (stack, _doomed, id) =>
      expect(await transactionsOf(stack, id, true)).toMatchObject([{ void: true }, { void: false }]),
  },
  'txmgr.reconciled': {
    process: 'worker',
    before: waiting,
    stopped: async (stack, doomed) => {
      // Deep enough: the next reconcile confirms and publishes it.
      await stack.mine(3, doomed.pair.chain)
    },
    cause: (stack, { transferId }) => makeDue(stack, transferId),
    killed: async (stack, { transferId }) =>
      expect((await rowOf(stack, transferId))?.status).toBe('confirmed'),
    transfer: async (_stack, { transferId }) => transferId,
  },
}

const noopsOf = ({ db }: Stack, { pair }: Doomed) =>
  db.query(
    `select o.status, t.nonce::float8 as nonce from intents o join intent_attempts t on t.intent_id = o.id and t.number = 0
     where o.from_address = $1 and o.purpose = 'noop'`,
    [normalOf(pair)],
  )

/** Simulates that a transaction belonged to another stored transfer, which was refused but mined. */
async function recordAsOurs({ db }: Stack, { transferId }: Doomed, hash: Hex): Promise<void> {
  const id = randomUUID()
  for (const [table, key, change] of [
    ['intents', 'id', { id, tx_id: hash, status: 'confirmed', block_height: 1, next_reconcile_at: null }],
    ['intent_attempts', 'intent_id', { intent_id: id, tx_id: hash }],
  ] as const)
    await db.query(
      `insert into ${table} select (jsonb_populate_record(o, $2)).* from ${table} o where ${key} = $1 limit 1`,
      [transferId, change],
    )
}

const otherRecipient: Address = '0x00000000000000000000000000000000000e15e0'

const signedOf = async (stack: Stack, { transferId }: Doomed): Promise<number> =>
  (await transactionsOf(stack, transferId)).filter(({ txId }) => txId !== null).length
