import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  ACCOUNT_SIZE,
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeAccount3Instruction,
  createSyncNativeInstruction,
  createTransferInstruction,
  getAccount,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { hostileBuild, hostileBuilds } from '../../../test/partners/hostileBuilds.ts'
import { accountOf } from '../../../test/partners/jupiterRoute.ts'
import { startSwapPartners } from '../../../test/partners/swapPartners.ts'
import type { SwapStandIn } from '../../../test/partners/swapServer.ts'
import { builder, privateKeyOf, type SolanaSending, sent, startSolanaSending } from '../../../test/support/solanaSending.ts'
import { solanaSwapping } from '../../chains/solana/swapping.ts'
import { Secret } from '../../platform/secrets.ts'
import { wrappedSol } from '../../swaps/coins.ts'
import type { PreparedSwap, SwapQuestion } from '../../swaps/provider.ts'
import { createJupiter } from './client.ts'

let chain: SolanaSending
let standIn: SwapStandIn
let usdc: string
let usdt: string
let rent: bigint
beforeAll(async () => {
  chain = await startSolanaSending()
  ;({ usdc, usdt } = chain.devnet)
  const keys = { zeroX: 'zero', jupiter: 'key' }
  ;({ jupiter: standIn } = await startSwapPartners(keys, [{ chainId: null, stablecoins: [usdc, usdt], decimals: 6 }]))
  rent = BigInt(await chain.connection.getMinimumBalanceForRentExemption(165))
})
afterAll(async () => {
  await standIn?.close()
  await chain?.close()
})
afterEach(() => {
  Object.assign(standIn, { lie: null })
})

const jupiter = () => createJupiter({ url: standIn.url, apiKey: new Secret('key'), perSecond: 1000 })
const funds = 10_000_000_000n

/** A wallet with SOL and USDC. */
async function trader(tokens = 1_000_000_000n): Promise<Keypair> {
  const made = await chain.wallet(funds)
  if (tokens > 0n) await chain.make(chain.tokens(made.publicKey, usdc, tokens))
  return made
}

const question = (from: Keypair, more: Partial<SwapQuestion> = {}): SwapQuestion => ({
  network: 'devnet',
  sellToken: usdc,
  buyToken: usdt,
  sellAmount: 100_000_000n,
  slippageBps: 50,
  from: from.publicKey.toBase58(),
  to: from.publicKey.toBase58(),
  ...more,
})
const prepare = (asked: SwapQuestion, ctx = chain.ctx): Promise<PreparedSwap> => jupiter().prepare(asked, solanaSwapping(ctx))

async function held(owner: PublicKey, mint: string): Promise<bigint> {
  const account = await chain.connection.getAccountInfo(accountOf(new PublicKey(mint), owner), 'confirmed')
  return account ? (await getAccount(chain.connection, accountOf(new PublicKey(mint), owner), 'confirmed')).amount : 0n
}
/** SOL, USDC, USDT and wrapped SOL. */
const all = async (owner: PublicKey) => [
  await chain.lamportsOf(owner),
  await held(owner, usdc),
  await held(owner, usdt),
  await held(owner, wrappedSol),
]

/** Signs, sends and mines. @returns the fee */
async function execute({ steps }: PreparedSwap, key: Keypair): Promise<{ fee: bigint; outcome: unknown }> {
  const [step] = steps
  if (!step) throw new Error('there is no step')
  expect(step.plan.shortages).toEqual([])
  const transaction = builder.sign(step.action, step.plan.terms, null, [privateKeyOf(key)])
  expect(await chain.sender.broadcast(transaction)).toMatchObject({ status: 'accepted' })
  await chain.mine()
  const outcome = await chain.sender.outcome(step.action.from, [sent(transaction)])
  return { fee: step.plan.fee.max, outcome }
}

describe('a swap moves exactly what it says', () => {
  test('token for token', async () => {
    const owner = await trader()
    const prepared = await prepare(question(owner))
    expect(prepared).toMatchObject({ minBuyAmount: 99_201_500n, rent, price: { buyAmount: 99_700_000n }, steps: [{ purpose: 'swap' }] })
    const { fee, outcome } = await execute(prepared, owner)
    expect(outcome).toMatchObject({ succeeded: true })
    expect(await all(owner.publicKey)).toEqual([funds - fee - rent, 900_000_000n, 99_700_000n, 0n])
    // The second time, the account is there.
    expect((await prepare(question(owner))).rent).toBe(0n)
  })

  test('SOL for a token', async () => {
    const owner = await trader(0n)
    const prepared = await prepare(question(owner, { sellToken: wrappedSol, buyToken: usdc, sellAmount: 2_000_000_000n }))
    const { fee } = await execute(prepared, owner)
    expect(await all(owner.publicKey)).toEqual([funds - 2_000_000_000n - fee - rent, 299_100_000n, 0n, 0n])
  })

  test('a token for SOL', async () => {
    const owner = await trader()
    const prepared = await prepare(question(owner, { buyToken: wrappedSol, sellAmount: 150_000_000n }))
    expect(prepared.rent).toBe(0n)
    const { fee } = await execute(prepared, owner)
    expect(await all(owner.publicKey)).toEqual([funds + 997_000_000n - fee, 850_000_000n, 0n, 0n])
  })

  test('to another wallet: a token for which it has no account, and SOL itself', async () => {
    const [owner, recipient] = [await trader(), Keypair.generate().publicKey]
    const to = recipient.toBase58()
    const first = await execute(await prepare(question(owner, { to })), owner)
    const second = await execute(await prepare(question(owner, { to, buyToken: wrappedSol, sellAmount: 150_000_000n })), owner)
    const sol = await prepare(question(owner, { to, sellToken: wrappedSol, sellAmount: 1_000_000_000n }))
    expect(sol.rent).toBe(0n)
    const third = await execute(sol, owner)
    expect(await all(recipient)).toEqual([997_000_000n, 0n, 99_700_000n + 149_550_000n, 0n])
    const fees = first.fee + second.fee + third.fee
    expect(await all(owner.publicKey)).toEqual([funds - fees - rent - 1_000_000_000n, 750_000_000n, 0n, 0n])
  })

  test('with wrapped SOL of its own, which is unwrapped', async () => {
    const owner = await trader()
    await chain.make(wrap(owner, 500_000_000n))
    const before = await all(owner.publicKey)
    const prepared = await prepare(question(owner, { buyToken: wrappedSol, sellAmount: 150_000_000n }))
    const { fee } = await execute(prepared, owner)
    const wrapped = 500_000_000n + rent
    expect(await all(owner.publicKey)).toEqual([(before[0] ?? 0n) + wrapped + 997_000_000n - fee, 850_000_000n, 0n, 0n])
  })
})

describe('an answer that would rob the sender is unsafe:', () => {
  let owner: Keypair
  let savings: Keypair
  let thief: PublicKey
  beforeEach(async () => {
    owner = await trader()
    savings = Keypair.generate()
    thief = Keypair.generate().publicKey
    const gifts = [usdc, usdt].flatMap((mint) => chain.tokens(thief, mint, 1n))
    await chain.make([...gifts, ...savingsOf(owner, savings)], [savings])
  })

  test.each(Object.keys(hostileBuilds))('%s', async (name) => {
    standIn.lie = hostileBuild(name, { owner: owner.publicKey, savings: savings.publicKey, thief })
    const swap = hostileBuilds[name]?.swap ?? 'tokens'
    const swapped = { tokens: {}, sellsSol: { sellToken: wrappedSol, buyToken: usdc, sellAmount: 1_000_000_000n }, buysSol: { buyToken: wrappedSol } }
    const asked = question(
      owner,
      swap === 'gift' ? { buyToken: wrappedSol, to: (await chain.wallet(10_000_000n)).publicKey.toBase58() } : swapped[swap],
    )
    const before = await all(thief)
    const outcome = await prepare(asked).then(
      async (prepared) => {
        await execute(prepared, owner)
        return { sent: true, stolen: (await all(thief)).map((each, i) => each - (before[i] ?? 0n)) }
      },
      (error: { problem?: string }) => error.problem ?? error,
    )
    expect(outcome).toBe('unsafe_answer')
  })
})

/** Instructions that open another account for USDC. */
function savingsOf(owner: Keypair, savings: Keypair): TransactionInstruction[] {
  const { publicKey: payer } = chain.faucet
  const mint = new PublicKey(usdc)
  return [
    SystemProgram.createAccount({
      fromPubkey: payer,
      newAccountPubkey: savings.publicKey,
      space: ACCOUNT_SIZE,
      lamports: Number(rent),
      programId: TOKEN_PROGRAM_ID,
    }),
    createInitializeAccount3Instruction(savings.publicKey, mint, owner.publicKey),
    createTransferInstruction(accountOf(mint, payer), savings.publicKey, payer, 1_000n),
  ]
}

/** Instructions of the faucet that give an owner wrapped SOL. */
function wrap(owner: Keypair, lamports: bigint): TransactionInstruction[] {
  const { publicKey: payer } = chain.faucet
  const account = accountOf(NATIVE_MINT, owner.publicKey)
  return [
    createAssociatedTokenAccountIdempotentInstruction(payer, account, owner.publicKey, NATIVE_MINT),
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: account, lamports }),
    createSyncNativeInstruction(account),
  ]
}
