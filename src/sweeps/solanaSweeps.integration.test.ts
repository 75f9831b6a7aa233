import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import {
  ACCOUNT_SIZE,
  createFreezeAccountInstruction,
  createInitializeAccount3Instruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import { send } from '../../test/devnets/customers/solana.ts'
import { solanaNode } from '../../test/support/familyNodes.ts'
import { startFamilySweeping } from '../../test/support/familySweeping.ts'

/** Sweeps on Solana, step by step, with the rights of worker and treasury. */

const start = async () => startFamilySweeping(await solanaNode())
let sweeping: Awaited<ReturnType<typeof start>>

beforeAll(async () => {
  sweeping = await start()
  await sweeping.fund('SOL', 1_000_000_000n)
  for (const token of ['USDC', 'USDT']) await sweeping.enable(token)
})
afterAll(() => sweeping?.close())

/** The devnet's faucet is the mints' authority. */
async function freeze(owner: string, contract: string): Promise<void> {
  const { rpcUrl, faucetPrivateKey } = sweeping.node.devnet
  const [mint, authority] = [
    new PublicKey(contract),
    Keypair.fromSecretKey(base58.decode(faucetPrivateKey)).publicKey,
  ]
  await send({ rpcUrl, faucetPrivateKey }, [
    createFreezeAccountInstruction(
      getAssociatedTokenAddressSync(mint, new PublicKey(owner)),
      mint,
      authority,
    ),
  ])
  await sweeping.node.mine()
}

/** Of a token account (Solana docs, "Rent"). */
const rentOf = async () => BigInt(await sweeping.node.connection.getMinimumBalanceForRentExemption(165))

test('every asset of several addresses reaches the treasury exactly, in shared transactions; the books have fees and rent', async () => {
  const before = await sweeping.held(sweeping.treasuryAddress, 'SOL')
  const deposits = [
    await sweeping.deposit(
      { symbol: 'USDC', amount: 5_000_000n },
      { symbol: 'USDT', amount: 7_000_000n },
      { symbol: 'SOL', amount: 40_000_000n },
    ),
    await sweeping.deposit({ symbol: 'USDC', amount: 11_000_000n }),
    await sweeping.deposit({ symbol: 'SOL', amount: 30_000_000n }),
  ]
  await sweeping.run()
  const rows = await sweeping.rows()
  expect(rows.map(({ symbol, status }) => `${symbol} ${status}`).toSorted()).toEqual([
    'SOL done',
    'SOL done',
    'USDC done',
    'USDC done',
    'USDT done',
  ])
  const intents = await sweeping.intents()
  expect(intents.length).toBeLessThan(rows.length)
  for (const { address } of deposits)
    for (const symbol of ['USDC', 'USDT', 'SOL'])
      expect([symbol, await sweeping.held(address, symbol)]).toEqual([symbol, 0n])
  expect(await sweeping.held(sweeping.treasuryAddress, 'USDC')).toBe(16_000_000n)
  expect(await sweeping.held(sweeping.treasuryAddress, 'USDT')).toBe(7_000_000n)
  const fees = intents.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)
  // Three accounts were closed, two were opened.
  const rent = await rentOf()
  expect(await sweeping.held(sweeping.treasuryAddress, 'SOL')).toBe(before + 70_000_000n - fees + rent)
  expect(await sweeping.books('treasury:solana', 'SOL')).toBe(
    await sweeping.held(sweeping.treasuryAddress, 'SOL'),
  )
  expect(await sweeping.books('network_costs', 'SOL')).toBe(fees - rent)
  const cost = await sweeping.db.query<{ amount: string }>(
    `select sum(l.amount)::text as amount from ledger_entries e join ledger_postings l on l.entry_id = e.id join ledger_accounts a on a.id = l.account_id
     where a.name = 'network_costs' and e.kind = 'sweep.posted'`,
  )
  expect(cost).toEqual([{ amount: String(fees) }])
  for (const symbol of ['USDC', 'USDT'])
    expect(await sweeping.books('treasury:solana', symbol)).toBe(
      await sweeping.held(sweeping.treasuryAddress, symbol),
    )
  for (const symbol of ['USDC', 'USDT', 'SOL'])
    expect(await sweeping.books('deposits:solana', symbol)).toBe(0n)
})

test('a payment that comes between plan and transaction lets the closing fail: nothing moves, and then all of it does', async () => {
  const held = await sweeping.held(sweeping.treasuryAddress, 'USDC')
  const made = await sweeping.deposit({ symbol: 'USDC', amount: 6_000_000n })
  await sweeping.work()
  expect((await sweeping.rows()).at(-1)).toMatchObject({ closes: true })
  await sweeping.paid(made, { symbol: 'USDC', amount: 1_000_000n })
  await sweeping.run()
  expect(
    (await sweeping.rows())
      .filter(({ address }) => address === made.address)
      .map(({ status, closes }) => [status, closes]),
  ).toEqual([['failed', true]])
  expect(await sweeping.held(made.address, 'USDC')).toBe(7_000_000n)
  await sweeping.again()
  await sweeping.run()
  expect([
    await sweeping.held(made.address, 'USDC'),
    await sweeping.held(sweeping.treasuryAddress, 'USDC'),
  ]).toEqual([0n, held + 7_000_000n])
  expect(await sweeping.books('treasury:solana', 'USDC')).toBe(held + 7_000_000n)
})

test('SOL stays where too little for an account would be left, and leaves whole once the rest is in the books, too', async () => {
  const made = await sweeping.deposit({ symbol: 'SOL', amount: 9_000_000n })
  const txId = await sweeping.node.pay(made.address, null, 1000n)
  await sweeping.run()
  expect([
    await sweeping.held(made.address, 'SOL'),
    (await sweeping.rows()).filter(({ address }) => address === made.address),
  ]).toEqual([9_001_000n, []])
  await sweeping.detected(made.sessionId, made.address, { symbol: 'SOL', amount: 1000n, txId })
  await sweeping.settle(made.sessionId)
  await sweeping.run()
  expect(await sweeping.held(made.address, 'SOL')).toBe(0n)
})

test('an account that its issuer has frozen keeps no other from its sweep, after one transaction that fails', async () => {
  const held = await sweeping.held(sweeping.treasuryAddress, 'USDC')
  const [frozen, other] = [
    await sweeping.deposit({ symbol: 'USDC', amount: 2_000_000n }),
    await sweeping.deposit({ symbol: 'USDC', amount: 3_000_000n }),
  ]
  await freeze(frozen.address, sweeping.contractOf('USDC') ?? '')
  await sweeping.run()
  await sweeping.again()
  await sweeping.run()
  expect([await sweeping.held(frozen.address, 'USDC'), await sweeping.held(other.address, 'USDC')]).toEqual([
    2_000_000n,
    0n,
  ])
  expect(await sweeping.held(sweeping.treasuryAddress, 'USDC')).toBe(held + 3_000_000n)
  const last = (await sweeping.rows()).filter(({ address }) => address === frozen.address).at(-1)
  expect(last).toMatchObject({ status: 'failed', reason: 'simulation_failed' })
  expect([
    await sweeping.books('treasury:solana', 'USDC'),
    await sweeping.books('deposits:solana', 'USDC'),
  ]).toEqual([held + 3_000_000n, 2_000_000n])
})

test('a sweep whose block a fork takes back is sent again, and booked once', async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDT', amount: 4_000_000n })
  const held = await sweeping.held(sweeping.treasuryAddress, 'USDT')
  const isSent = async () => (await sweeping.intents()).some(({ status }) => status === 'broadcast')
  for (let round = 0; round < 5 && !(await isSent()); round++) {
    await sweeping.work()
    await sweeping.reconcile()
    await sweeping.sign()
    await sweeping.reconcile()
  }
  await sweeping.node.mine()
  expect(await sweeping.held(address, 'USDT')).toBe(0n)
  await sweeping.node.control('reorg', { depth: 1 })
  expect(await sweeping.held(address, 'USDT')).toBe(4_000_000n)
  await sweeping.run()
  expect([
    await sweeping.held(address, 'USDT'),
    await sweeping.held(sweeping.treasuryAddress, 'USDT'),
  ]).toEqual([0n, held + 4_000_000n])
  expect(await sweeping.books('treasury:solana', 'USDT')).toBe(held + 4_000_000n)
  expect(await sweeping.books('treasury:solana', 'SOL')).toBe(
    await sweeping.held(sweeping.treasuryAddress, 'SOL'),
  )
})

/** Pays into a new token account of the owner, not into the associated one. @returns the transaction's id */
async function payFurther(owner: string, contract: string, amount: bigint): Promise<string> {
  const { rpcUrl, faucetPrivateKey } = sweeping.node.devnet
  const [mint, payer, made] = [
    new PublicKey(contract),
    Keypair.fromSecretKey(base58.decode(faucetPrivateKey)).publicKey,
    Keypair.generate(),
  ]
  const opened = {
    fromPubkey: payer,
    newAccountPubkey: made.publicKey,
    space: ACCOUNT_SIZE,
    programId: TOKEN_PROGRAM_ID,
    lamports: Number(await rentOf()),
  }
  const instructions = [
    SystemProgram.createAccount(opened),
    createInitializeAccount3Instruction(made.publicKey, mint, new PublicKey(owner)),
    createTransferCheckedInstruction(
      getAssociatedTokenAddressSync(mint, payer),
      mint,
      made.publicKey,
      payer,
      amount,
      6,
    ),
  ]
  const txId = await send({ rpcUrl, faucetPrivateKey }, instructions, { signers: [made] })
  await sweeping.node.mine()
  return txId
}

test('what a customer paid into a further account of an address keeps that of the associated one from no sweep', async () => {
  const usdc = sweeping.contractOf('USDC') ?? ''
  const { address, sessionId } = await sweeping.deposit({ symbol: 'USDC', amount: 5_000_000n })
  const [treasury, open] = [
    await sweeping.books('treasury:solana', 'USDC'),
    await sweeping.books('deposits:solana', 'USDC'),
  ]
  const txId = await payFurther(address, usdc, 10_000_000n)
  await sweeping.detected(sessionId, address, { symbol: 'USDC', amount: 10_000_000n, txId })
  await sweeping.settle(sessionId)
  await sweeping.run()
  expect(await sweeping.held(address, 'USDC')).toBe(0n)
  expect(await sweeping.books('treasury:solana', 'USDC')).toBe(treasury + 5_000_000n)
  expect(await sweeping.books('deposits:solana', 'USDC')).toBe(open + 5_000_000n)
})
