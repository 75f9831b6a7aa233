import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import {
  builder,
  newAddress,
  privateKeyOf,
  type SolanaSending,
  sent,
  startSolanaSending,
} from '../../../../test/support/solanaSending.ts'
import type { Call, CallsSpec, Flow } from '../../action.ts'
import { planCalls } from './planCalls.ts'

let chain: SolanaSending
let treasury: Keypair
/** Owns tokens, and has no lamports. */
let deposit: Keypair
const funds = 1_000_000_000n

beforeAll(async () => {
  chain = await startSolanaSending()
  treasury = await chain.wallet(funds)
  deposit = Keypair.generate()
  await chain.make(chain.tokens(deposit.publicKey, chain.devnet.usdc, 1_000n))
})
afterAll(() => chain.close())

/** An instruction that the chain's own library made. */
const callOf = ({ programId, data, keys }: TransactionInstruction): Call => ({
  to: programId.toBase58(),
  data: data.toString('base64'),
  value: 0n,
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    signer: isSigner,
    writable: isWritable,
  })),
})
const usdc = () => ({ contract: chain.devnet.usdc, symbol: 'USDC', decimals: 6 })
const flow = (of: Keypair, amount: bigint, token: Flow['token'] = null): Flow => ({
  address: of.publicKey.toBase58(),
  token,
  amount,
})
const actionOf = (
  instructions: readonly TransactionInstruction[],
  more: Partial<CallsSpec> = {},
): CallsSpec => ({
  kind: 'calls',
  from: treasury.publicKey.toBase58(),
  calls: instructions.map(callOf),
  cosigners: [deposit.publicKey.toBase58()],
  spends: [],
  receives: [],
  gasPrice: null,
  gasLimit: null,
  ...more,
})
const accountOf = (owner: PublicKey) => getAssociatedTokenAddressSync(new PublicKey(chain.devnet.usdc), owner)

/** Moves USDC of the deposit address to an address whose account it opens, at the treasury's cost. */
function sweep(to: PublicKey, amount: bigint): CallsSpec {
  const mint = new PublicKey(chain.devnet.usdc)
  const instructions = [
    createAssociatedTokenAccountIdempotentInstruction(treasury.publicKey, accountOf(to), to, mint),
    createTransferCheckedInstruction(
      accountOf(deposit.publicKey),
      mint,
      accountOf(to),
      deposit.publicKey,
      amount,
      6,
    ),
  ]
  return actionOf(instructions, { spends: [flow(deposit, amount, usdc())] })
}
const pay = (to: string, lamports: bigint) =>
  SystemProgram.transfer({ fromPubkey: treasury.publicKey, toPubkey: new PublicKey(to), lamports })

describe('a batch with a second signer', () => {
  test('moves tokens of an address without lamports: the sender pays exactly the planned fee and rent', async () => {
    const to = Keypair.generate().publicKey
    const action = sweep(to, 400n)
    const before = await chain.lamportsOf(treasury.publicKey)
    const plan = await chain.sender.plan(action)
    expect(plan).toMatchObject({
      shortages: [],
      otherCosts: BigInt(await chain.connection.getMinimumBalanceForRentExemption(165)),
    })
    expect(plan.fee.max).toBeGreaterThan(10_000n)
    expect(builder.maxFee(plan.terms)).toBe(plan.fee.max + plan.otherCosts)
    const transaction = builder.sign(action, plan.terms, null, [treasury, deposit].map(privateKeyOf))
    expect(await chain.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
    await chain.mine()
    expect((await getAccount(chain.connection, accountOf(to), 'confirmed')).amount).toBe(400n)
    expect(before - (await chain.lamportsOf(treasury.publicKey))).toBe(plan.fee.max + plan.otherCosts)
    expect(await chain.lamportsOf(deposit.publicKey)).toBe(0n)
    expect(await chain.sender.outcome(action.from, [sent(transaction)])).toMatchObject({
      status: 'included',
      succeeded: true,
      fee: plan.fee.max,
    })
  })

  test('without the second signature is refused by the node', async () => {
    const action = sweep(Keypair.generate().publicKey, 1n)
    const { terms } = await chain.sender.plan(action)
    const transaction = builder.sign(action, terms, null, [treasury, deposit].map(privateKeyOf))
    const bytes = Uint8Array.from(transaction.bytes).fill(0, 1 + 64, 1 + 128)
    expect(await chain.sender.broadcast({ ...transaction, bytes })).toMatchObject({ status: 'refused' })
  })

  test('planned twice is two transactions', async () => {
    const action = sweep(treasury.publicKey, 1n)
    const keys = [treasury, deposit].map(privateKeyOf)
    const ids = await Promise.all(
      Array.from(
        { length: 5 },
        async () => builder.sign(action, (await chain.sender.plan(action)).terms, null, keys).txId,
      ),
    )
    expect(new Set(ids).size).toBe(5)
  })
})

describe('a plan', () => {
  test('counts what leaves the sender beyond its stated spends as other costs', async () => {
    const action = (spends: readonly Flow[]) =>
      actionOf([pay(newAddress(), 5_000_000n)], { cosigners: [], spends })
    expect(await chain.sender.plan(action([flow(treasury, 5_000_000n)]))).toMatchObject({
      otherCosts: 0n,
      shortages: [],
    })
    const { terms, fee, otherCosts } = await chain.sender.plan(action([flow(treasury, 3_000_000n)]))
    expect(otherCosts).toBe(2_000_000n)
    expect(builder.maxFee(terms)).toBe(fee.max + 2_000_000n)
  })

  test('pays for the simulated units of all calls, at the price of recent blocks', async () => {
    const ctx = chain.answering({ getRecentPrioritizationFees: [{ slot: 1, prioritizationFee: 50_000 }] })
    const { terms, fee } = await planCalls(ctx, sweep(Keypair.generate().publicKey, 1n))
    expect(terms).toMatchObject({ signatures: 2, tokenProgram: null, opensAccount: false })
    // Two signatures, and a twentieth of a lamport for each simulated and each spare unit.
    expect(Number(fee.max) - 10_000 - Number(terms.computeUnits) / 20).toBeLessThanOrEqual(26)
    expect(Number(terms.computeUnits)).toBeGreaterThan(5_000)
  })

  test('has the shortages of all owners, each with what the calls can reach', async () => {
    const tooMuch = sweep(treasury.publicKey, 1_001n)
    const held = (await getAccount(chain.connection, accountOf(deposit.publicKey), 'confirmed')).amount
    expect((await chain.sender.plan(tooMuch)).shortages).toEqual([
      { kind: 'token', symbol: 'USDC', decimals: 6, required: 1_001n, available: held },
    ])
    const lamports = actionOf([
      SystemProgram.transfer({ fromPubkey: deposit.publicKey, toPubkey: treasury.publicKey, lamports: 7n }),
    ])
    expect((await chain.sender.plan({ ...lamports, spends: [flow(deposit, 7n)] })).shortages).toEqual([
      { kind: 'native', symbol: 'SOL', decimals: 9, required: 7n, available: 0n },
    ])
    const poor = Keypair.generate()
    const { shortages, fee } = await chain.sender.plan({
      ...sweep(treasury.publicKey, 1n),
      from: poor.publicKey.toBase58(),
      cosigners: [deposit, treasury].map((each) => each.publicKey.toBase58()),
    })
    const min = BigInt(await chain.connection.getMinimumBalanceForRentExemption(0))
    expect(shortages).toEqual([
      { kind: 'native', symbol: 'SOL', decimals: 9, required: fee.max + min, available: 0n },
    ])
  })

  test('is refused with the programs’ error if any call would fail', async () => {
    const [mint, own] = [new PublicKey(chain.devnet.usdc), accountOf(deposit.publicKey)]
    const failing = actionOf([
      pay(newAddress(), 5_000_000n),
      createTransferCheckedInstruction(own, mint, own, deposit.publicKey, 10_000n, 6),
    ])
    await expect(chain.sender.plan(failing)).rejects.toMatchObject({
      reason: 'simulation_failed',
      message: expect.stringContaining('the transaction would fail: instruction 4: custom program error 0x1'),
    })
  })

  test('reports how many lamports are missing for what only the trial shows, such as rent', async () => {
    const { shortages } = await chain.sender.plan(
      actionOf([pay(newAddress(), 5_000_000n), pay(newAddress(), 2n * funds)], { cosigners: [] }),
    )
    const available = await chain.lamportsOf(treasury.publicKey)
    expect(shortages).toEqual([
      { kind: 'native', symbol: 'SOL', decimals: 9, required: expect.anything(), available },
    ])
    expect((shortages[0]?.required ?? 0n) > 2n * funds).toBe(true)
  })

  test('is refused before a request to a node if the transaction cannot be built', async () => {
    const action = { ...sweep(treasury.publicKey, 1n), cosigners: [] }
    await chain.devnet.control('misbehave', { face: 'down', down: true })
    await expect(planCalls(chain.through('down'), action)).rejects.toMatchObject({
      reason: 'unsupported_action',
    })
  })
})
