import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createSyncNativeInstruction,
  getAccount,
  NATIVE_MINT,
} from '@solana/spl-token'
import { Connection, PublicKey, SystemProgram } from '@solana/web3.js'
import { send } from '../devnets/customers/solana.ts'
import { hostileBuild } from '../partners/hostileBuilds.ts'
import { accountOf } from '../partners/jupiterRoute.ts'
import { fund, type Holdings, newPayer, type Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { type Refusal, type SwapBody, swapEnds } from '../support/swaps.ts'
import { waitFor } from '../support/waitFor.ts'

/** Swaps on Solana with keys of requests: from the request to the recipient's balance, and what stops one. */

let stack: Stack
let usdc: string
let usdt: string
let connection: Connection
/** Of a token account, in lamports. */
let rent: bigint
beforeAll(async () => {
  stack = await createStack({ chains: ['solana'], processes: ['api', 'worker'] })
  ;({ usdc, usdt } = stack.other('solana'))
  connection = new Connection(stack.other('solana').rpcUrl, 'confirmed')
  rent = BigInt(await connection.getMinimumBalanceForRentExemption(165))
})
afterAll(() => stack?.close())
afterEach(() => {
  Object.assign(stack.jupiter, {
    mode: 'ok',
    throttled: 0,
    refusal: null,
    lie: null,
    rewrite: null,
    asked: [],
  })
})

const funds = 10_000_000_000n
async function newSwapper(holdings: Holdings = { native: '10', USDC: '1000' }): Promise<Payer> {
  const payer = newPayer('solana')
  await fund(stack, payer, holdings)
  return payer
}
const execute = <T = SwapBody>(payer: Payer, more: object = {}) => {
  const body = {
    chain: 'solana',
    sellToken: usdc,
    buyToken: usdt,
    amount: '100',
    privateKey: payer.privateKey,
    toAddress: payer.address,
    ...more,
  }
  return stack.api<T>('POST', '/crypto/swaps/execute', body)
}

async function held(owner: string, mint: PublicKey | string): Promise<bigint> {
  const account = accountOf(new PublicKey(mint), new PublicKey(owner))
  const exists = (await connection.getAccountInfo(account, 'confirmed')) !== null
  return exists ? (await getAccount(connection, account, 'confirmed')).amount : 0n
}
/** SOL, USDC, USDT and wrapped SOL, in base units. */
const all = async (owner: string) => [
  BigInt(await connection.getBalance(new PublicKey(owner), 'confirmed')),
  ...(await Promise.all([usdc, usdt, NATIVE_MINT].map((mint) => held(owner, mint)))),
]
const lamports = (sol: unknown) => BigInt(Math.round(Number(sol) * 1e9))

describe('a swap', () => {
  test('of token for token brings what was quoted, to the unit', async () => {
    const payer = await newSwapper()
    const { status, body } = await execute(payer)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      provider: 'jupiter',
      success: true,
      buyAmount: '99.7',
      minBuyAmount: '99.2015',
      rent: '0.00203928',
      approvalTxHash: null,
      allowanceLeft: null,
    })
    const done = await swapEnds(stack, body.id)
    expect(done).toMatchObject({ status: 'confirmed', amountReceived: '99.7', fee: expect.any(String) })
    expect(await all(payer.address)).toEqual([
      funds - lamports(done.fee) - rent,
      900_000_000n,
      99_700_000n,
      0n,
    ])
  })

  test('to another wallet opens its account for the token, at the cost of the sender', async () => {
    const [payer, to] = [await newSwapper(), newPayer('solana').address]
    const { body } = await execute(payer, { toAddress: to })
    const done = await swapEnds(stack, body.id)
    expect(done).toMatchObject({
      status: 'confirmed',
      amountReceived: '99.7',
      toAddress: to,
      rent: '0.00203928',
    })
    expect([await all(to), (await all(payer.address))[1]]).toEqual([[0n, 0n, 99_700_000n, 0n], 900_000_000n])
  })

  test('of SOL, and for SOL: to oneself and to another', async () => {
    const [payer, to] = [await newSwapper(), newPayer('solana').address]
    const sold = await swapEnds(
      stack,
      (await execute(payer, { sellToken: 'native', buyToken: usdt, amount: '1' })).body.id,
    )
    expect(sold).toMatchObject({ status: 'confirmed', sellToken: 'native', amountReceived: '149.55' })
    const bought = await swapEnds(
      stack,
      (await execute(payer, { buyToken: 'native', amount: '150' })).body.id,
    )
    expect(bought).toMatchObject({
      status: 'confirmed',
      buyToken: 'native',
      amountReceived: '0.997',
      rent: '0',
    })
    const given = await swapEnds(
      stack,
      (await execute(payer, { buyToken: 'native', amount: '150', toAddress: to })).body.id,
    )
    expect(given).toMatchObject({ status: 'confirmed', buyAmount: '0.997' })
    const fees = [sold, bought, given].reduce((sum, { fee }) => sum + lamports(fee), 0n)
    expect(await all(to)).toEqual([997_000_000n, 0n, 0n, 0n])
    expect(await all(payer.address)).toEqual([
      funds - 1_000_000_000n + 997_000_000n - rent - fees,
      700_000_000n,
      149_550_000n,
      0n,
    ])
  })

  test('for SOL, by a sender that holds wrapped SOL, counts only what was bought', async () => {
    const payer = await newSwapper()
    const [owner, wrapped] = [
      new PublicKey(payer.address),
      accountOf(NATIVE_MINT, new PublicKey(payer.address)),
    ]
    await send({ rpcUrl: stack.other('solana').rpcUrl, faucetPrivateKey: payer.privateKey }, [
      createAssociatedTokenAccountIdempotentInstruction(owner, wrapped, owner, NATIVE_MINT),
      SystemProgram.transfer({ fromPubkey: owner, toPubkey: wrapped, lamports: 5_000_000_000 }),
      createSyncNativeInstruction(wrapped),
    ])
    await stack.other('solana').control('mine', { count: 1 })
    expect(await held(payer.address, NATIVE_MINT)).toBe(5_000_000_000n)
    const done = await swapEnds(stack, (await execute(payer, { buyToken: 'native', amount: '150' })).body.id)
    expect(done).toMatchObject({
      status: 'confirmed',
      buyAmount: '0.997',
      amountReceived: '0.997',
      rent: '0',
    })
    expect(await held(payer.address, NATIVE_MINT)).toBe(0n)
  })
})

describe('a fork', () => {
  const devnet = () => stack.other('solana')
  const price = (numerator: number, denominator: number) =>
    devnet().control('price', { sold: usdc, bought: usdt, numerator, denominator })
  const events = async (id: string) =>
    (
      await stack.db.query<{ type: string }>(
        "select type from events where data->>'id' = $1 order by sequence",
        [id],
      )
    ).map(({ type }) => type)

  /** Executes a swap into a block, and takes the block back. @returns its id and bytes */
  async function takenBack(payer: Payer): Promise<{ id: string; bytes: string }> {
    await devnet().control('hold', { on: true })
    const { body: made } = await execute(payer)
    await devnet().control('mine', { count: 1 })
    expect(await held(payer.address, usdt)).toBe(99_700_000n)
    const [sent] = await stack.db.query<{ bytes: string }>(
      'select bytes from intent_attempts where intent_id = $1',
      [made.id],
    )
    await devnet().control('reorg', { depth: 1 })
    return { id: made.id, bytes: sent?.bytes ?? '' }
  }

  test('takes a swap back, and a node puts it into a block at a worse price: it fails with its reason, and costs the fee alone', async () => {
    const payer = await newSwapper()
    const { id, bytes } = await takenBack(payer)
    await price(99, 100)
    await connection.sendRawTransaction(Buffer.from(bytes, 'base64'), { skipPreflight: true })
    await devnet().control('hold', { on: false })
    const failed = await swapEnds(stack, id)
    await price(997, 1000)
    const message = expect.stringContaining('the price moved by more than the slippage allows')
    expect(failed).toMatchObject({ status: 'failed', success: true, reason: 'reverted', message })
    expect(await all(payer.address)).toEqual([funds - lamports(failed.fee), 1_000_000_000n, 0n, 0n])
    await waitFor('its event', async () => (await events(id)).length > 0)
    expect(await events(id)).toEqual(['swap.failed'])
  })

  test('takes a swap back, and it is sent again: the sender swaps once', async () => {
    const payer = await newSwapper()
    const { id } = await takenBack(payer)
    await devnet().control('hold', { on: false })
    const done = await swapEnds(stack, id)
    expect(done).toMatchObject({ status: 'confirmed', amountReceived: '99.7' })
    expect(await all(payer.address)).toEqual([
      funds - lamports(done.fee) - rent,
      900_000_000n,
      99_700_000n,
      0n,
    ])
  })
})

describe('no swap is made, and nothing is stored', () => {
  const refuse = async (payer: Payer, more: object = {}) => {
    const before = await all(payer.address)
    const { status, body } = await execute<Refusal>(payer, more)
    const stored = await stack.db.query('select 1 from intents where from_address = $1', [payer.address])
    expect([stored.length, await all(payer.address)]).toEqual([0, before])
    return [status, body.error]
  }

  test.each([
    'another recipient',
    'an extra transfer',
    'a venue that takes SOL',
    'a tip',
    'a lookup table with other addresses',
  ])('for an answer with %s', async (name) => {
    const payer = await newSwapper()
    const [owner, thief] = [new PublicKey(payer.address), new PublicKey(newPayer('solana').address)]
    stack.jupiter.lie = hostileBuild(name, { owner, thief, savings: owner, lent: owner, multisig: owner })
    expect(await refuse(payer)).toEqual([422, 'unsafe_answer'])
  })

  test('if the pool pays less than the minimum by now', async () => {
    const payer = await newSwapper()
    const devnet = stack.other('solana')
    await devnet.control('price', { sold: usdc, bought: usdt, numerator: 99, denominator: 100 })
    const refused = await refuse(payer)
    await devnet.control('price', { sold: usdc, bought: usdt, numerator: 997, denominator: 1000 })
    expect(refused).toEqual([422, 'price_moved'])
  })

  test.each<[string, Holdings, object, unknown[]]>([
    ['no SOL for the fee', { native: '0.001', USDC: '1000' }, {}, [422, 'insufficient_native_balance']],
    ['too few tokens', { native: '10', USDC: '50' }, {}, [422, 'insufficient_balance']],
    [
      'all SOL to sell',
      { native: '1' },
      { sellToken: 'native', amount: '1' },
      [422, 'insufficient_native_balance'],
    ],
  ])('with %s', async (_name, holdings, more, expected) => {
    expect(await refuse(await newSwapper(holdings), more)).toEqual(expected)
  })

  test('to a token account, or for a token that keeps a part of transfers', async () => {
    const payer = await newSwapper()
    const account = accountOf(new PublicKey(usdc), new PublicKey(payer.address)).toBase58()
    expect(await refuse(payer, { toAddress: account })).toEqual([422, 'recipient_is_token'])
    expect(await refuse(payer, { buyToken: stack.other('solana').feeToken })).toEqual([
      422,
      'token_not_supported',
    ])
  })
})
