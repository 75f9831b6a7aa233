import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Keypair, SystemProgram } from '@solana/web3.js'
import type { SolanaDevnet } from '../solana.ts'
import {
  openTestChain,
  pay,
  payToken,
  rpc,
  send,
  signed,
  type TestChain,
  testOnDevnet,
} from './testWallet.ts'

/**
 * Transactions that a node refuses, with its exact messages: on the devnet or a public test network
 * (`openTestChain`).
 */
const signatureFee = 5000
const funded = 2_000_000
let chain: TestChain
let devnet: SolanaDevnet

beforeAll(async () => {
  chain = await openTestChain()
  if (chain.devnet) devnet = chain.devnet
})

afterAll(() => chain.close())

const newAddress = () => Keypair.generate().publicKey

interface Refused {
  name: string
  code: number
  message: string
  err?: unknown
  wire(): Promise<Uint8Array>
}
const simulation = 'Transaction simulation failed: '
const refusals: readonly Refused[] = [
  {
    name: 'a signature of another message',
    ...{ code: -32003, message: 'Transaction signature verification failure' },
    wire: async () => {
      const bytes = (await signed(chain, [pay(chain, newAddress(), funded)])).serialize()
      return bytes.with(10, (bytes[10] ?? 0) ^ 1)
    },
  },
  {
    name: 'an unknown blockhash',
    ...{ code: -32002, message: `${simulation}Blockhash not found`, err: 'BlockhashNotFound' },
    wire: async () => {
      const transaction = await signed(chain, [pay(chain, newAddress(), funded)])
      transaction.recentBlockhash = newAddress().toBase58()
      transaction.sign(chain.faucet)
      return transaction.serialize()
    },
  },
  {
    name: 'a transaction sent twice',
    ...{
      code: -32002,
      message: `${simulation}This transaction has already been processed`,
      err: 'AlreadyProcessed',
    },
    wire: async () => {
      const wire = (await signed(chain, [pay(chain, newAddress(), funded)])).serialize()
      await chain.settle(
        await chain.connection.sendRawTransaction(wire, { preflightCommitment: 'confirmed' }),
      )
      return wire
    },
  },
  {
    name: 'more lamports than the payer has',
    ...{
      code: -32002,
      message: `${simulation}Error processing Instruction 0: custom program error: 0x1`,
      err: { InstructionError: [0, { Custom: 1 }] },
    },
    wire: async () => (await signed(chain, [pay(chain, newAddress(), Number.MAX_SAFE_INTEGER)])).serialize(),
  },
  {
    name: 'more tokens than the payer has',
    ...{
      code: -32002,
      message: `${simulation}Error processing Instruction 1: custom program error: 0x1`,
      err: { InstructionError: [1, { Custom: 1 }] },
    },
    wire: async () => (await signed(chain, payToken(chain, newAddress(), chain.usdc, 2n ** 63n))).serialize(),
  },
  {
    name: 'a payer without an account',
    ...{
      code: -32002,
      message: `${simulation}Attempt to debit an account but found no record of a prior credit.`,
      err: 'AccountNotFound',
    },
    wire: async () => {
      const payer = Keypair.generate()
      const transfer = SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: newAddress(),
        lamports: 1,
      })
      const transaction = await signed({ ...chain, faucet: payer }, [transfer])
      return transaction.serialize()
    },
  },
  {
    name: 'an account left with less than its rent',
    code: -32002,
    message: `${simulation}Transaction results in an account (1) with insufficient funds for rent`,
    err: { InsufficientFundsForRent: { account_index: 1 } },
    wire: async () => (await signed(chain, [pay(chain, newAddress(), 1)])).serialize(),
  },
]

test.each(refusals)('$name', async ({ wire, code, message, err }) => {
  const text = Buffer.from(await wire()).toString('base64')
  const { error } = await rpc(chain.connection.rpcEndpoint, 'sendTransaction', [
    text,
    { encoding: 'base64', preflightCommitment: 'confirmed' },
  ])
  expect(error).toMatchObject({ code, message, ...(err ? { data: { err } } : {}) })
})

testOnDevnet('a transaction whose blockhash is more than 150 blocks old', async () => {
  const { blockhash, lastValidBlockHeight } = await chain.connection.getLatestBlockhash('confirmed')
  const late = await signed(chain, [pay(chain, newAddress(), funded)])
  await devnet.control('mine', { count: 150 })
  expect(await chain.connection.getBlockHeight('confirmed')).toBe(lastValidBlockHeight)
  expect(await chain.connection.isBlockhashValid(blockhash, { commitment: 'confirmed' })).toMatchObject({
    value: true,
  })
  await devnet.control('mine')
  await expect(
    chain.connection.sendRawTransaction(late.serialize(), { preflightCommitment: 'confirmed' }),
  ).rejects.toThrow('Blockhash not found')
  // Without preflight it is accepted and silently dropped.
  const signature = await chain.connection.sendRawTransaction(late.serialize(), { skipPreflight: true })
  await devnet.control('mine')
  expect(
    (await chain.connection.getSignatureStatus(signature, { searchTransactionHistory: true })).value,
  ).toBeNull()
})

testOnDevnet('preflight at finalized does not know the latest blockhash', async () => {
  await devnet.control('mine')
  const transaction = await signed(chain, [pay(chain, newAddress(), funded)])
  await expect(
    chain.connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'finalized' }),
  ).rejects.toThrow('Blockhash not found')
})

test('a transaction that fails in a block is kept with its error, and pays its fee', async () => {
  const before = await chain.connection.getBalance(chain.faucet.publicKey, 'confirmed')
  const signature = await send(chain, [pay(chain, newAddress(), Number.MAX_SAFE_INTEGER)], [], true)
  expect(
    (
      await chain.connection.getTransaction(signature, {
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 1,
      })
    )?.meta,
  ).toMatchObject({
    err: { InstructionError: [0, { Custom: 1 }] },
    fee: signatureFee,
  })
  expect(await chain.connection.getBalance(chain.faucet.publicKey, 'confirmed')).toBe(before - signatureFee)
})
