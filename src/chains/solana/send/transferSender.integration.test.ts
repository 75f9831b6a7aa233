import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  getAccount,
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { type Keypair, PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js'
import {
  builder,
  newAddress,
  type SolanaSending,
  sent,
  signed,
  sol,
  startSolanaSending,
  token,
} from '../../../../test/support/solanaSending.ts'
import type { TransferSpec } from '../../action.ts'
import type { SignedTransaction } from '../../sending.ts'
import { solanaTransferSender } from './transferSender.ts'

let chain: SolanaSending
beforeAll(async () => {
  chain = await startSolanaSending()
})
afterAll(() => chain.close())

const funds = 100_000_000n

/** A wallet with SOL and a token. */
async function holder(mint: string, amount: bigint, program = TOKEN_PROGRAM_ID): Promise<Keypair> {
  const wallet = await chain.wallet(funds)
  await chain.make(chain.tokens(wallet.publicKey, mint, amount, program))
  return wallet
}

const heldBy = (owner: string, mint: string, program = TOKEN_PROGRAM_ID) =>
  getAccount(
    chain.connection,
    getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true, program),
    'confirmed',
    program,
  )

/** Plans, signs, broadcasts, and mines a block. */
async function transfer(from: Keypair, transfer: TransferSpec) {
  const made = await signed(chain.sender, from, transfer)
  expect(made.plan.shortages).toEqual([])
  expect(await chain.sender.broadcast(made.transaction)).toMatchObject({ status: 'accepted' })
  await chain.mine()
  return made
}

const outcomeOf = (transaction: SignedTransaction, from: Keypair) =>
  chain.sender.outcome(from.publicKey.toBase58(), [sent(transaction)])

describe('a transfer', () => {
  test('of SOL arrives to the lamport, at the planned fee', async () => {
    const [from, to] = [await chain.wallet(funds), newAddress()]
    const { plan, transaction } = await transfer(from, sol(from, to, 7_654_321n))
    expect(plan.otherCosts).toBe(0n)
    expect(await chain.lamportsOf(to)).toBe(7_654_321n)
    expect(await chain.lamportsOf(from.publicKey)).toBe(funds - 7_654_321n - plan.fee.expected)
    expect(builder.maxFee(plan.terms)).toBe(plan.fee.max)
    expect(await outcomeOf(transaction, from)).toMatchObject({
      status: 'included',
      succeeded: true,
      fee: plan.fee.expected,
    })
  })

  test('may empty its account exactly', async () => {
    const [from, to] = [await chain.wallet(funds), newAddress()]
    const { fee } = await chain.sender.plan(sol(from, to, funds / 2n))
    await transfer(from, sol(from, to, funds - fee.max))
    expect(await chain.lamportsOf(from.publicKey)).toBe(0n)
    expect(await chain.lamportsOf(to)).toBe(funds - fee.max)
  })

  test.each(['usdc', 'usdt'] as const)(
    'of %s opens the recipient’s account once, at the planned rent',
    async (name) => {
      const mint = chain.devnet[name]
      const [from, to] = [await holder(mint, 1000n), newAddress()]
      const before = await chain.lamportsOf(from.publicKey)
      const first = await transfer(from, token(from, to, 400n, mint))
      expect(first.plan.terms).toMatchObject({
        opensAccount: true,
        tokenProgram: TOKEN_PROGRAM_ID.toBase58(),
        decimals: 6,
      })
      expect(first.plan.otherCosts).toBe(
        BigInt(await chain.connection.getMinimumBalanceForRentExemption(165)),
      )
      const second = await transfer(from, token(from, to, 600n, mint))
      expect(second.plan).toMatchObject({ otherCosts: 0n, terms: { opensAccount: false } })
      expect((await heldBy(to, mint)).amount).toBe(1000n)
      expect((await heldBy(from.publicKey.toBase58(), mint)).amount).toBe(0n)
      const [one, two] = [first.plan, second.plan].map((plan) => plan.fee.expected + plan.otherCosts) as [
        bigint,
        bigint,
      ]
      expect(await chain.lamportsOf(from.publicKey)).toBe(before - one - two)
    },
  )

  test('of a token with transfer fees (Token-2022) opens an account of the right size', async () => {
    const mint = chain.devnet.feeToken
    const [from, to] = [await holder(mint, 1_000_000n, TOKEN_2022_PROGRAM_ID), newAddress()]
    const before = await chain.lamportsOf(from.publicKey)
    const { plan } = await transfer(from, token(from, to, 500_000n, mint, 'FEE'))
    expect(plan.terms).toMatchObject({ tokenProgram: TOKEN_2022_PROGRAM_ID.toBase58() })
    const arrived = await heldBy(to, mint, TOKEN_2022_PROGRAM_ID)
    expect([arrived.amount, getTransferFeeAmount(arrived)?.withheldAmount]).toEqual([495_000n, 5_000n])
    expect(await chain.lamportsOf(arrived.address)).toBe(plan.otherCosts)
    expect(await chain.lamportsOf(from.publicKey)).toBe(before - plan.fee.expected - plan.otherCosts)
  })

  test('pays only the rent that is not at the address already', async () => {
    const mint = chain.devnet.usdc
    const [from, to] = [await holder(mint, 1000n), newAddress()]
    const rent = BigInt(await chain.connection.getMinimumBalanceForRentExemption(165))
    const address = getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(to))
    // From a wallet of another program: the platform refuses an address without a key that does not exist.
    await chain.make([
      SystemProgram.transfer({ fromPubkey: chain.faucet.publicKey, toPubkey: address, lamports: 1_000_000 }),
    ])
    const { plan } = await transfer(from, token(from, to, 1n, mint))
    expect(plan.otherCosts).toBe(rent - 1_000_000n)
    expect(await chain.lamportsOf(address)).toBe(rent)
  })

  test('signed externally is sent, too', async () => {
    const [from, to] = [await chain.wallet(funds), newAddress()]
    const transfer = sol(from, to, 1_000_000n)
    const { terms } = await chain.sender.plan(transfer)
    const read = VersionedTransaction.deserialize(
      Buffer.from(builder.unsigned(transfer, terms, null).payload, 'base64'),
    )
    read.sign([from])
    const accepted = builder.accept(transfer, terms, null, Buffer.from(read.serialize()).toString('base64'))
    if ('refused' in accepted) throw new Error(accepted.refused)
    expect(await chain.sender.broadcast(accepted)).toEqual({ status: 'accepted', message: null })
    await chain.mine()
    expect(await chain.lamportsOf(to)).toBe(1_000_000n)
  })
})

describe('broadcasting the bytes', () => {
  test('again is accepted, before and after they are in a block', async () => {
    const from = await chain.wallet(funds)
    const { transaction } = await signed(chain.sender, from, sol(from, newAddress(), 1_000_000n))
    for (const blocks of [0, 1, 5]) {
      if (blocks > 0) await chain.mine(blocks)
      expect(await chain.sender.broadcast(transaction)).toMatchObject({ status: 'accepted' })
    }
    expect(await outcomeOf(transaction, from)).toMatchObject({ standing: 'final' })
  })

  test('is refused with the node’s message if the sender spent the money meanwhile', async () => {
    const from = await chain.wallet(funds)
    const one = await signed(chain.sender, from, sol(from, newAddress(), funds - 2_000_000n))
    const two = await signed(chain.sender, from, sol(from, newAddress(), funds - 1_000_000n))
    expect(await chain.sender.broadcast(one.transaction)).toMatchObject({ status: 'accepted' })
    await chain.mine()
    const refused = await chain.sender.broadcast(two.transaction)
    expect(refused).toMatchObject({
      status: 'refused',
      message: expect.stringMatching(/custom program error: 0x1$/),
    })
  })

  test('with an invalid signature is refused', async () => {
    const from = await chain.wallet(funds)
    const { transaction } = await signed(chain.sender, from, sol(from, newAddress(), 1_000_000n))
    const bytes = Uint8Array.from(transaction.bytes)
    bytes[5] = (bytes[5] ?? 0) ^ 1
    expect(await chain.sender.broadcast({ ...transaction, bytes })).toMatchObject({ status: 'refused' })
  })

  test('is busy at a node that does not know the blockhash yet, and accepted if another node does', async () => {
    const from = await chain.wallet(funds)
    await chain.mine(20)
    const { transaction } = await signed(chain.sender, from, sol(from, newAddress(), 1_000_000n))
    await chain.devnet.control('misbehave', { face: 'behind', lagBlocks: 10 })
    expect(await solanaTransferSender(chain.through('behind')).broadcast(transaction)).toMatchObject({
      status: 'busy',
    })
    expect(
      await solanaTransferSender(chain.through('behind', 'honest')).broadcast(transaction),
    ).toMatchObject({ status: 'accepted' })
  })
})
