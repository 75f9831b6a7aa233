import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import {
  builder,
  privateKeyOf,
  type SolanaSending,
  sent,
  startSolanaSending,
} from '../../../../test/support/solanaSending.ts'
import type { SweepItem } from '../../sweeping.ts'
import { solanaSweepActions } from './sweepActions.ts'

let chain: SolanaSending
const actions = solanaSweepActions()
const noPrice = { gasPrice: null, gasLimit: null }
const actionOf = (treasury: Keypair, items: readonly SweepItem[]) =>
  actions.action(items, addressOf(treasury), noPrice)
/** Of an account with a token account's data (Solana docs, "Rent"). */
let rent: bigint

beforeAll(async () => {
  chain = await startSolanaSending()
  rent = BigInt(await chain.connection.getMinimumBalanceForRentExemption(165))
})
afterAll(() => chain.close())

const usdc = () => ({ contract: chain.devnet.usdc, symbol: 'USDC', decimals: 6 })
const usdt = () => ({ contract: chain.devnet.usdt, symbol: 'USDT', decimals: 6 })
const addressOf = ({ publicKey }: Keypair) => publicKey.toBase58()
const accountOf = (owner: Keypair, contract: string) =>
  getAssociatedTokenAddressSync(new PublicKey(contract), owner.publicKey)
const item = (
  owner: Keypair,
  token: SweepItem['token'],
  amount: bigint,
  closes = token !== null,
): SweepItem => ({
  address: addressOf(owner),
  token,
  amount,
  authorization: null,
  closes,
})

/** Null for an account that does not exist. */
async function heldBy(owner: Keypair, contract: string): Promise<bigint | null> {
  const account = accountOf(owner, contract)
  if ((await chain.connection.getAccountInfo(account)) === null) return null
  return BigInt((await chain.connection.getTokenAccountBalance(account)).value.amount)
}

async function deposit(amounts: Partial<Record<'usdc' | 'usdt', bigint>>, lamports = 0n): Promise<Keypair> {
  const owner = lamports > 0n ? await chain.wallet(lamports) : Keypair.generate()
  for (const [name, amount] of Object.entries(amounts))
    await chain.make(chain.tokens(owner.publicKey, chain.devnet[name as 'usdc' | 'usdt'], amount))
  return owner
}

async function carryOut(treasury: Keypair, owners: readonly Keypair[], items: readonly SweepItem[]) {
  const action = actionOf(treasury, items)
  const plan = await chain.sender.plan(action)
  expect(plan.shortages).toEqual([])
  const signers = [treasury, ...owners]
  const keys = [
    treasury,
    ...(action.kind === 'calls' ? action.cosigners : []).map((each) =>
      signers.find((pair) => addressOf(pair) === each),
    ),
  ]
  const transaction = builder.sign(
    action,
    plan.terms,
    null,
    keys.map((pair) => privateKeyOf(pair as Keypair)),
  )
  expect(await chain.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
  await chain.mine()
  const outcome = await chain.sender.outcome(action.from, [sent(transaction)])
  if (outcome.status !== 'included') throw new Error(`it is ${outcome.status}`)
  return { plan, outcome, bytes: transaction.bytes.length }
}

test('several addresses are emptied in one transaction: tokens, native coin and rent reach the treasury exactly, which alone pays the fee', async () => {
  const treasury = await chain.wallet(1_000_000_000n)
  const [first, second, third] = await Promise.all([
    deposit({ usdc: 400n, usdt: 7n }),
    deposit({ usdc: 500n }, 5_000_000n),
    deposit({}, 3_000_000n),
  ])
  const items = [
    item(first, usdc(), 400n),
    item(first, usdt(), 7n),
    item(second, usdc(), 500n),
    item(second, null, 5_000_000n),
    item(third, null, 3_000_000n),
  ]
  expect(actions.fitting?.(items, addressOf(treasury))).toBe(5)
  const before = await chain.lamportsOf(treasury.publicKey)
  const { outcome } = await carryOut(treasury, [first, second, third], items)
  expect(outcome).toMatchObject({ succeeded: true, nativeChange: 8_000_000n + 3n * rent - 2n * rent })
  expect([await heldBy(treasury, chain.devnet.usdc), await heldBy(treasury, chain.devnet.usdt)]).toEqual([
    900n,
    7n,
  ])
  for (const owner of [first, second, third]) {
    expect(await chain.lamportsOf(owner.publicKey)).toBe(0n)
    expect([await heldBy(owner, chain.devnet.usdc), await heldBy(owner, chain.devnet.usdt)]).toEqual([
      null,
      null,
    ])
    for (const contract of [chain.devnet.usdc, chain.devnet.usdt])
      expect(await chain.lamportsOf(accountOf(owner, contract))).toBe(0n)
  }
  // Three accounts were closed, and the treasury's two were opened.
  const after = await chain.lamportsOf(treasury.publicKey)
  expect(after - before).toBe(8_000_000n + 3n * rent - 2n * rent - (outcome.fee ?? 0n))
})

test('an account that got more meanwhile is not closed, and a sweep that would close it fails as a whole', async () => {
  const treasury = await chain.wallet(1_000_000_000n)
  const owner = await deposit({ usdc: 10n })
  await chain.make(chain.tokens(owner.publicKey, chain.devnet.usdc, 1n))
  const closing = chain.sender.plan(actionOf(treasury, [item(owner, usdc(), 10n)]))
  await expect(closing).rejects.toMatchObject({ reason: 'simulation_failed' })
  await carryOut(treasury, [owner], [item(owner, usdc(), 10n, false)])
  expect([await heldBy(treasury, chain.devnet.usdc), await heldBy(owner, chain.devnet.usdc)]).toEqual([
    10n,
    1n,
  ])
})

test('a batch is as large as a packet allows, and the next item would not fit', async () => {
  const treasury = await chain.wallet(1_000_000_000n)
  const owners = await Promise.all(Array.from({ length: 7 }, () => deposit({ usdc: 3n })))
  const items = owners.map((owner) => item(owner, usdc(), 3n))
  for (let rest = items; rest.length > 0; ) {
    const count = actions.fitting?.(rest, addressOf(treasury)) ?? 0
    const { bytes } = await carryOut(treasury, owners, rest.slice(0, count))
    expect(bytes).toBeLessThanOrEqual(1232)
    if (count < rest.length)
      await expect(chain.sender.plan(actionOf(treasury, rest.slice(0, count + 1)))).rejects.toThrow('1232')
    else expect(items.length).toBeGreaterThan(count)
    rest = rest.slice(count)
  }
  expect(await heldBy(treasury, chain.devnet.usdc)).toBe(21n)
})
