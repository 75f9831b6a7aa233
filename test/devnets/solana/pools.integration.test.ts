import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Address } from '@solana/kit'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { type AccountMeta, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { LiteSVM } from 'litesvm'
import { configured } from './genesis.ts'
import { devnetKeys } from './keys.ts'
import { jupiterProgram, poolAuthority } from './poolProgram.ts'
import { eventAuthority, openMissingPools, poolOf, setPrice } from './pools.ts'
import { openTestChain, send, type TestChain } from './testWallet.ts'

let chain: TestChain
let usdc: PublicKey
let usdt: PublicKey
beforeAll(async () => {
  chain = await openTestChain()
  usdc = chain.usdc
  usdt = new PublicKey(chain.devnet?.usdt ?? '')
})
afterAll(() => chain.close())

const meta = (pubkey: PublicKey, isWritable = false, isSigner = false): AccountMeta => ({
  pubkey,
  isSigner,
  isWritable,
})
const ataOf = (mint: PublicKey) => getAssociatedTokenAddressSync(mint, chain.faucet.publicKey)
const held = async (mint: PublicKey) => (await getAccount(chain.connection, ataOf(mint), 'confirmed')).amount

interface Route {
  sold: PublicKey
  bought: PublicKey
  amount: bigint
  quoted: bigint
  slippageBps?: number
  /** Slot 7; the program stands for an absent one. */
  to?: PublicKey
  more?: TransactionInstruction
}

function argumentsOf(
  discriminator: string,
  { amount, quoted, slippageBps = 50, more }: Route,
  id: number[] = [],
): Buffer {
  const numbers = Buffer.alloc(26)
  numbers.writeBigUInt64LE(amount, 0)
  numbers.writeBigUInt64LE(quoted, 8)
  numbers.writeUInt16LE(slippageBps, 16)
  return Buffer.concat([
    Buffer.from(discriminator, 'hex'),
    Buffer.from(id),
    numbers,
    more?.data ?? Buffer.alloc(0),
  ])
}
const moreOf = ({ more }: Route) => (more ? [...more.keys, meta(more.programId)] : [])

function route(given: Route): TransactionInstruction {
  const { sold, bought, to = jupiterProgram } = given
  const pool = poolOf(sold, bought)
  return new TransactionInstruction({
    programId: jupiterProgram,
    keys: [
      meta(chain.faucet.publicKey, false, true),
      ...[
        meta(ataOf(sold), true),
        meta(ataOf(bought), true),
        meta(sold),
        meta(bought),
        meta(TOKEN_PROGRAM_ID),
        meta(TOKEN_PROGRAM_ID),
      ],
      ...[meta(to, to !== jupiterProgram), meta(eventAuthority), meta(jupiterProgram)],
      ...[meta(pool.vaultIn, true), meta(pool.vaultOut, true), meta(poolAuthority), meta(pool.address, true)],
      ...moreOf(given),
    ],
    data: argumentsOf('bb64facc31c4af14', given),
  })
}

function shared(given: Route): TransactionInstruction {
  const { sold, bought } = given
  const pool = poolOf(sold, bought)
  return new TransactionInstruction({
    programId: jupiterProgram,
    keys: [
      ...[
        meta(poolAuthority),
        meta(chain.faucet.publicKey, false, true),
        meta(ataOf(sold), true),
        meta(pool.vaultIn, true),
      ],
      ...[
        meta(pool.vaultOut, true),
        meta(ataOf(bought), true),
        meta(sold),
        meta(bought),
        meta(TOKEN_PROGRAM_ID),
        meta(TOKEN_PROGRAM_ID),
      ],
      ...[meta(eventAuthority), meta(jupiterProgram), meta(pool.address, true)],
      ...moreOf(given),
    ],
    data: argumentsOf('d19853937cfed8e9', given, [0]),
  })
}

test.each([
  ['route_v2', route],
  ['shared_accounts_route_v2', shared],
])('a pool sells at its price: %s', async (_name, build) => {
  const before = [await held(usdc), await held(usdt)]
  await send(chain, [build({ sold: usdc, bought: usdt, amount: 1_000_000n, quoted: 997_000n })])
  const after = [await held(usdc), await held(usdt)]
  expect(after.map((each, i) => each - (before[i] ?? 0n))).toEqual([-1_000_000n, 997_000n])
})

test('a named account gets the token, and a wallet gets SOL itself', async () => {
  const [owner, wallet] = [Keypair.generate().publicKey, Keypair.generate().publicKey]
  const account = getAssociatedTokenAddressSync(usdt, owner)
  const opening = createAssociatedTokenAccountIdempotentInstruction(
    chain.faucet.publicKey,
    account,
    owner,
    usdt,
  )
  await send(chain, [
    opening,
    route({ sold: usdc, bought: usdt, amount: 2_000n, quoted: 1_994n, to: account }),
  ])
  expect((await getAccount(chain.connection, account, 'confirmed')).amount).toBe(1_994n)
  const native = createAssociatedTokenAccountIdempotentInstruction(
    chain.faucet.publicKey,
    ataOf(NATIVE_MINT),
    chain.faucet.publicKey,
    NATIVE_MINT,
  )
  await send(chain, [
    native,
    route({ sold: usdc, bought: NATIVE_MINT, amount: 150_000_000n, quoted: 997_000_000n, to: wallet }),
  ])
  expect(await chain.connection.getBalance(wallet, 'confirmed')).toBe(997_000_000)
})

test('less than the minimum fails with Jupiter’s error', async () => {
  await chain.devnet?.control('price', {
    sold: usdt.toBase58(),
    bought: usdc.toBase58(),
    numerator: 99,
    denominator: 100,
  })
  const at = (slippageBps: number) =>
    send(chain, [route({ sold: usdt, bought: usdc, amount: 1_000_000n, quoted: 997_000n, slippageBps })])
  await expect(at(50)).rejects.toThrow(/custom program error: 0x1771/)
  await at(71)
})

test('one more instruction runs with the caller’s signature', async () => {
  const thief = Keypair.generate().publicKey
  const account = getAssociatedTokenAddressSync(usdc, thief)
  const opening = createAssociatedTokenAccountIdempotentInstruction(
    chain.faucet.publicKey,
    account,
    thief,
    usdc,
  )
  const more = createTransferInstruction(ataOf(usdc), account, chain.faucet.publicKey, 7n)
  await send(chain, [opening, route({ sold: usdc, bought: usdt, amount: 1_000n, quoted: 997n, more })])
  const lamports = SystemProgram.transfer({
    fromPubkey: chain.faucet.publicKey,
    toPubkey: thief,
    lamports: 1_000_000,
  })
  await send(chain, [shared({ sold: usdc, bought: usdt, amount: 1_000n, quoted: 997n, more: lamports })])
  expect((await getAccount(chain.connection, account, 'confirmed')).amount).toBe(7n)
  expect(await chain.connection.getBalance(thief, 'confirmed')).toBe(1_000_000)
})

test('a chain without pools gets them, and one that has them keeps their prices', () => {
  const svm = configured(new LiteSVM())
  const { address } = poolOf(devnetKeys.usdc.publicKey, devnetKeys.usdt.publicKey)
  const stateOf = () => {
    const account = svm.getAccount(address.toBase58() as Address)
    return account.exists ? Buffer.from(account.data).toString('hex') : null
  }
  expect(stateOf()).toBeNull()
  openMissingPools(svm)
  const opened = stateOf()
  expect(opened).not.toBeNull()
  setPrice(svm, devnetKeys.usdc.publicKey, devnetKeys.usdt.publicKey, 1n, 2n)
  const priced = stateOf()
  openMissingPools(svm)
  expect([stateOf(), priced === opened]).toEqual([priced, false])
})
