import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  ACCOUNT_SIZE,
  createApproveInstruction,
  createFreezeAccountInstruction,
  createInitializeAccount3Instruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import {
  builder,
  newAddress,
  privateKeyOf,
  type SolanaSending,
  signed,
  startSolanaSending,
  token,
} from '../../../../test/support/solanaSending.ts'
import { solanaBalanceReader } from '../balanceReader.ts'
import { maxSources } from '../tokenSources.ts'
import { readTerms, writeTerms } from './terms.ts'

let chain: SolanaSending
let usdc: string
let rent = 0
const funds = 1_000_000_000n

beforeAll(async () => {
  chain = await startSolanaSending()
  usdc = chain.devnet.usdc
  rent = await chain.connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE)
})
afterAll(() => chain.close())

const associated = (owner: PublicKey) => getAssociatedTokenAddressSync(new PublicKey(usdc), owner, true)

/** A token account of `owner` at an address of its own. */
async function furtherAccount(owner: PublicKey, amount: bigint): Promise<PublicKey> {
  const [{ publicKey: payer }, made, mint] = [chain.faucet, Keypair.generate(), new PublicKey(usdc)]
  const created = {
    fromPubkey: payer,
    newAccountPubkey: made.publicKey,
    space: ACCOUNT_SIZE,
    programId: TOKEN_PROGRAM_ID,
    lamports: rent,
  }
  await chain.make(
    [
      SystemProgram.createAccount(created),
      createInitializeAccount3Instruction(made.publicKey, mint, owner),
      createTransferCheckedInstruction(associated(payer), mint, made.publicKey, payer, amount, 6),
    ],
    [made],
  )
  return made.publicKey
}

async function owner(
  inAssociated: bigint,
  ...further: bigint[]
): Promise<{ from: Keypair; accounts: PublicKey[] }> {
  const from = await chain.wallet(funds)
  if (inAssociated > 0n) await chain.make(chain.tokens(from.publicKey, usdc, inAssociated))
  const accounts: PublicKey[] = []
  for (const amount of further) accounts.push(await furtherAccount(from.publicKey, amount))
  return { from, accounts }
}

const amountIn = async (account: PublicKey) => {
  const { value } = await chain.connection.getTokenAccountBalance(account, 'confirmed')
  return BigInt(value.amount)
}
const shown = async ({ publicKey }: Keypair) =>
  (await solanaBalanceReader(chain.ctx).balances(publicKey.toBase58(), [usdc])).tokens[0]
const freeze = (account: PublicKey) =>
  chain.make([createFreezeAccountInstruction(account, new PublicKey(usdc), chain.faucet.publicKey)])

async function send(from: Keypair, to: string, amount: bigint): Promise<void> {
  const { plan, transaction } = await signed(chain.sender, from, token(from, to, amount, usdc))
  expect(plan.shortages).toEqual([])
  expect(await chain.sender.broadcast(transaction)).toMatchObject({ status: 'accepted' })
  await chain.mine()
}

describe('a transfer', () => {
  test('draws on all token accounts of its sender, exactly: the associated one first', async () => {
    const { from, accounts } = await owner(10n, 20n, 30n)
    const to = Keypair.generate().publicKey
    await send(from, to.toBase58(), 45n)
    expect(await amountIn(associated(to))).toBe(45n)
    // 10, then 30, then 5 of 20.
    expect(await Promise.all([associated(from.publicKey), ...accounts].map(amountIn))).toEqual([0n, 15n, 0n])
  })

  test('empties an address that has no associated account', async () => {
    const { from, accounts } = await owner(0n, 7n, 8n)
    const to = Keypair.generate().publicKey
    await send(from, to.toBase58(), 15n)
    expect(await amountIn(associated(to))).toBe(15n)
    expect(await Promise.all(accounts.map(amountIn))).toEqual([0n, 0n])
  })

  test('to its own sender collects its accounts in the associated one', async () => {
    const { from } = await owner(1n, 7n)
    await send(from, from.publicKey.toBase58(), 8n)
    expect(await amountIn(associated(from.publicKey))).toBe(8n)
  })

  test('of what the associated account holds draws on it alone, with the terms of earlier versions', async () => {
    const { from } = await owner(10n, 20n)
    const { terms } = await chain.sender.plan(token(from, newAddress(), 10n, usdc))
    expect(terms.sources).toBeNull()
  })

  test('leaves frozen accounts and delegated ones out, and reports what can be sent', async () => {
    const { from, accounts } = await owner(10n, 20n, 30n, 40n)
    const [frozen, delegated] = accounts as [PublicKey, PublicKey]
    await freeze(frozen)
    await chain.make(
      [createApproveInstruction(delegated, new PublicKey(newAddress()), from.publicKey, 1n)],
      [from],
    )
    expect(await shown(from)).toMatchObject({ balance: 100n, sendable: 50n })
    expect(await chain.sender.plan(token(from, newAddress(), 51n, usdc))).toMatchObject({
      shortages: [{ kind: 'token', required: 51n, available: 50n, held: 100n }],
    })
    await send(from, newAddress(), 50n)
    expect(await Promise.all(accounts.map(amountIn))).toEqual([20n, 30n, 0n])
  })

  test('uses the others where the associated account is frozen', async () => {
    const { from } = await owner(10n, 20n)
    await freeze(associated(from.publicKey))
    expect(await shown(from)).toMatchObject({ balance: 30n, sendable: 20n })
    await send(from, newAddress(), 20n)
  })

  test(`draws on ${maxSources} accounts at most, which fit with the opening of the recipient’s; one more would not`, async () => {
    const { from } = await owner(1n, ...Array.from({ length: maxSources }, (_, index) => BigInt(index + 2)))
    // 1, and 3 to 18: the smallest but the associated one is left out.
    const sendable =
      Array.from({ length: maxSources + 1 }, (_, index) => BigInt(index + 1)).reduce(
        (sum, each) => sum + each,
        0n,
      ) - 2n
    expect(await shown(from)).toMatchObject({ balance: sendable + 2n, sendable })
    const over = token(from, newAddress(), sendable + 1n, usdc)
    const { terms, shortages } = await chain.sender.plan(over)
    expect(shortages).toMatchObject([{ required: sendable + 1n, available: sendable, held: sendable + 2n }])
    const sources = [...(readTerms(terms).sources ?? []), { address: newAddress(), amount: 1n }]
    expect(() => builder.unsigned(over, writeTerms({ ...readTerms(terms), sources }), null)).toThrow(
      'the chain carries 1232',
    )
    await send(from, newAddress(), sendable)
  })
})

describe('the builder', () => {
  test('signs no terms whose sources are another amount, are named twice, or are of SOL', async () => {
    const { from } = await owner(1n, 7n)
    const transfer = token(from, newAddress(), 8n, usdc)
    const { terms } = await chain.sender.plan(transfer)
    const sources = readTerms(terms).sources ?? []
    expect(sources).toHaveLength(2)
    const sign = (changed: typeof sources, amount = 8n) =>
      builder.sign({ ...transfer, amount }, writeTerms({ ...readTerms(terms), sources: changed }), null, [
        privateKeyOf(from),
      ])
    expect(Transaction.from(sign(sources).bytes).instructions).toHaveLength(5)
    expect(() => sign(sources, 9n)).toThrow('do not add up to the amount')
    expect(() => sign(sources.slice(1))).toThrow('do not add up to the amount')
    expect(() => sign([...sources, ...sources], 16n)).toThrow('the terms name a source twice')
    const ofSol = { ...readTerms(terms), tokenProgram: null, decimals: null }
    expect(() => builder.unsigned({ ...transfer, token: null }, writeTerms(ofSol), null)).toThrow(
      'name token accounts, and no token',
    )
  })
})

test('an account that a node lists twice is refused at that node', async () => {
  const { from } = await owner(1n, 7n)
  const at = await chain.connection.getTokenAccountsByOwner(from.publicKey, { programId: TOKEN_PROGRAM_ID })
  const [one] = at.value
  const answered = {
    pubkey: one?.pubkey.toBase58(),
    account: { data: [one?.account.data.toString('base64'), 'base64'] },
  }
  const ctx = chain.withLiar({ getTokenAccountsByOwner: { value: [answered, answered] } }, 'alone')
  await expect(solanaBalanceReader(ctx).balances(from.publicKey.toBase58(), [usdc])).rejects.toThrow(
    'returned a token account twice',
  )
})
