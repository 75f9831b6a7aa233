import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  ACCOUNT_SIZE,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeAccount3Instruction,
  createInitializeMultisigInstruction,
  createSyncNativeInstruction,
  createTransferInstruction,
  getAccount,
  MULTISIG_SIZE,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import { eventAuthority, lookupTable, poolOf } from '../../../test/devnets/solana/pools.ts'
import {
  type Build,
  hostileBuild,
  hostileBuilds,
  setup,
  venue,
} from '../../../test/partners/hostileBuilds.ts'
import { accountOf } from '../../../test/partners/jupiterRoute.ts'
import { startSwapPartners } from '../../../test/partners/swapPartners.ts'
import type { SwapStandIn } from '../../../test/partners/swapServer.ts'
import {
  builder,
  privateKeyOf,
  type SolanaSending,
  sent,
  startSolanaSending,
} from '../../../test/support/solanaSending.ts'
import type { JsonRpc } from '../../chains/providers/jsonRpc.ts'
import { solanaSwapping } from '../../chains/solana/send/swapping.ts'
import { BusyTrialError } from '../../chains/solanaSwapping.ts'
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
  ;({ jupiter: standIn } = await startSwapPartners(keys, [
    { chainId: null, stablecoins: [usdc, usdt], decimals: 6 },
  ]))
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
const prepare = (asked: SwapQuestion, ctx = chain.ctx): Promise<PreparedSwap> =>
  jupiter().prepare(asked, solanaSwapping(ctx))

async function held(owner: PublicKey, mint: string): Promise<bigint> {
  const account = await chain.connection.getAccountInfo(accountOf(new PublicKey(mint), owner), 'confirmed')
  return account
    ? (await getAccount(chain.connection, accountOf(new PublicKey(mint), owner), 'confirmed')).amount
    : 0n
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

describe('a swap moves exactly its amounts', () => {
  test('token for token', async () => {
    const owner = await trader()
    const prepared = await prepare(question(owner))
    expect(prepared).toMatchObject({
      minBuyAmount: 99_201_500n,
      rent,
      price: { buyAmount: 99_700_000n },
      steps: [{ purpose: 'swap' }],
    })
    const { fee, outcome } = await execute(prepared, owner)
    expect(outcome).toMatchObject({ succeeded: true })
    expect(await all(owner.publicKey)).toEqual([funds - fee - rent, 900_000_000n, 99_700_000n, 0n])
    // The second time, the account is there.
    expect((await prepare(question(owner))).rent).toBe(0n)
  })

  test('SOL for a token', async () => {
    const owner = await trader(0n)
    const prepared = await prepare(
      question(owner, { sellToken: wrappedSol, buyToken: usdc, sellAmount: 2_000_000_000n }),
    )
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
    const second = await execute(
      await prepare(question(owner, { to, buyToken: wrappedSol, sellAmount: 150_000_000n })),
      owner,
    )
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
    const { fee, outcome } = await execute(prepared, owner)
    expect(outcome).toMatchObject({ nativeChange: 997_000_000n })
    const wrapped = 500_000_000n + rent
    expect(await all(owner.publicKey)).toEqual([
      (before[0] ?? 0n) + wrapped + 997_000_000n - fee,
      850_000_000n,
      0n,
      0n,
    ])
  })
})

test('the transaction takes its accounts from lookup tables that were read from the chain', async () => {
  const { steps } = await prepare(question(await trader()))
  const { lookupTables } = steps[0]?.plan.terms ?? {}
  expect(lookupTables).toContain(`${lookupTable.address.toBase58()} `)
  expect(lookupTables).toContain(poolOf(new PublicKey(usdc), new PublicKey(usdt)).address.toBase58())
})

test('a place of a lookup table that only the node names is not used', async () => {
  const [table, stated] = [
    lookupTable.address.toBase58(),
    lookupTable.entries.slice(0, 4).map((each) => each.toBase58()),
  ]
  standIn.lie = (answer) => ({ ...answer, addressesByLookupTableAddress: { [table]: stated } })
  const { steps } = await prepare(question(await trader()))
  const [, ...places] = String(steps[0]?.plan.terms.lookupTables).split(' ')
  expect(places.map((each) => Number(each.split('=')[0])).filter((place) => place >= stated.length)).toEqual(
    [],
  )
  expect(places).not.toEqual([])
})

test('the recipient is in the transaction itself, also if a lookup table has it', async () => {
  const to = eventAuthority.toBase58()
  expect(lookupTable.entries.map((each) => each.toBase58())).toContain(to)
  await chain.make([
    SystemProgram.transfer({
      fromPubkey: chain.faucet.publicKey,
      toPubkey: eventAuthority,
      lamports: 10_000_000,
    }),
  ])
  const { steps } = await prepare(question(await trader(), { to }))
  expect(steps[0]?.plan.terms.lookupTables).not.toContain(to)
})

test('the transaction that was tried last is the one that is signed, byte for byte', async () => {
  const owner = await trader()
  const tried: Buffer[] = []
  const { providers } = chain.ctx
  const observed = (rpc: JsonRpc): JsonRpc => ({
    ...rpc,
    call: (method, params) => {
      if (method === 'simulateTransaction')
        tried.push(Buffer.from(String((params as unknown[])[0]), 'base64'))
      return rpc.call(method, params)
    },
  })
  const ask: typeof providers.ask = (run) => providers.ask((rpc) => run(observed(rpc)))
  const { steps } = await prepare(question(owner), { ...chain.ctx, providers: { ...providers, ask } })
  const [step] = steps
  if (!step) throw new Error('there is no step')
  const { bytes } = builder.sign(step.action, step.plan.terms, null, [privateKeyOf(owner)])
  const messageOf = (transaction: Uint8Array) =>
    Buffer.from(VersionedTransaction.deserialize(transaction).message.serialize()).toString('hex')
  expect(messageOf(tried.at(-1) ?? Buffer.alloc(0))).toBe(messageOf(bytes))
})

describe('while payments arrive between the reading of the accounts and each run', () => {
  /** @param pay runs before each simulation */
  const paying = (pay: (run: number) => Promise<unknown>) => {
    let runs = 0
    const { providers } = chain.ctx
    const paid = (rpc: JsonRpc): JsonRpc => ({
      ...rpc,
      async call(method, params) {
        if (method === 'simulateTransaction') await pay(runs++)
        return rpc.call(method, params)
      },
    })
    const ask: typeof providers.ask = (run) => providers.ask((rpc) => run(paid(rpc)))
    return { ...chain.ctx, providers: { ...providers, ask } }
  }
  const payTo = ({ publicKey }: Keypair) => [
    SystemProgram.transfer({ fromPubkey: chain.faucet.publicKey, toPubkey: publicKey, lamports: 1_000_000 }),
    ...chain.tokens(publicKey, usdc, 5n),
  ]

  test('in one of them only, the swap is tried again', async () => {
    const owner = await trader()
    const ctx = paying(async (run) => run < 2 && chain.make(payTo(owner)))
    expect(await prepare(question(owner), ctx)).toMatchObject({ minBuyAmount: 99_201_500n })
  })

  test('the swap is not taken, and the accounts are busy', async () => {
    const owner = await trader()
    await expect(
      prepare(
        question(owner),
        paying(() => chain.make(payTo(owner))),
      ),
    ).rejects.toBeInstanceOf(BusyTrialError)
  })

  test('one that takes from the sender is unsafe', async () => {
    const [owner, thief] = [await trader(), Keypair.generate().publicKey]
    const robbery = { owner: owner.publicKey, thief, savings: thief, lent: thief, multisig: thief }
    standIn.lie = hostileBuild('a venue that takes SOL', robbery)
    await expect(
      prepare(
        question(owner),
        paying(() => chain.make(payTo(owner))),
      ),
    ).rejects.toMatchObject({ problem: 'unsafe_answer' })
  })
})

test('a lookup table that a second node reports otherwise is not used', async () => {
  const { providers } = chain.ctx
  const table = lookupTable.address.toBase58()
  const lying = (rpc: JsonRpc): JsonRpc => ({
    ...rpc,
    async call(method, params) {
      const answer = (await rpc.call(method, params)) as { value: { data: [string, string] }[] }
      if (method !== 'getMultipleAccounts' || (params as [string[]])[0].join() !== table) return answer
      const [account] = answer.value
      const data = Buffer.from(account?.data[0] ?? '', 'base64')
      data.fill(7, 56, 88)
      return { ...answer, value: [{ ...account, data: [data.toString('base64'), 'base64'] }] }
    },
  })
  const ask: typeof providers.ask = (run, only) =>
    providers.ask((rpc) => run(only?.('second') ? lying(rpc) : rpc))
  const ctx = { ...chain.ctx, providers: { ...providers, names: ['first', 'second'], ask } }
  await expect(prepare(question(await trader()), ctx)).rejects.toThrow('disagree about a lookup table')
})

test('a route that does not fit into a transaction is no liquidity', async () => {
  standIn.lie = (answer) => {
    const swap = answer.swapInstruction as { accounts: object[] }
    const more = newKeys(40).map((pubkey) => ({ ...someAccount, pubkey }))
    return { ...answer, swapInstruction: { ...swap, accounts: [...swap.accounts, ...more] } }
  }
  await expect(prepare(question(await trader()))).rejects.toMatchObject({ problem: 'no_liquidity' })
})

describe('a route between tokens that passes through wrapped SOL', () => {
  const through = (owner: Keypair, instruction: TransactionInstruction) => {
    const account = accountOf(NATIVE_MINT, owner.publicKey)
    const opening = createAssociatedTokenAccountIdempotentInstruction(
      owner.publicKey,
      account,
      owner.publicKey,
      NATIVE_MINT,
    )
    standIn.lie = (answer) => venue(setup(answer as Build, opening), instruction)
  }
  const syncs = (owner: Keypair) => createSyncNativeInstruction(accountOf(NATIVE_MINT, owner.publicKey))

  test('opens the account if it is missing, and closes it', async () => {
    const owner = await trader()
    through(owner, syncs(owner))
    const prepared = await prepare(question(owner))
    expect(prepared.rent).toBe(rent)
    const { fee } = await execute(prepared, owner)
    expect(await all(owner.publicKey)).toEqual([funds - fee - rent, 900_000_000n, 99_700_000n, 0n])
    expect(
      await chain.connection.getAccountInfo(accountOf(NATIVE_MINT, owner.publicKey), 'confirmed'),
    ).toBeNull()
  })

  test('leaves one that exists as it was', async () => {
    const owner = await trader()
    await chain.make(wrap(owner, 500_000_000n))
    through(owner, syncs(owner))
    const prepared = await prepare(question(owner))
    expect(prepared.rent).toBe(rent)
    const { fee } = await execute(prepared, owner)
    expect(await all(owner.publicKey)).toEqual([funds - fee - rent, 900_000_000n, 99_700_000n, 500_000_000n])
  })

  test('is unsafe if it takes from one that exists', async () => {
    const [owner, thief] = [await trader(), await trader()]
    await chain.make([...wrap(owner, 500_000_000n), ...wrap(thief, 1n)])
    const [from, to] = [owner, thief].map(({ publicKey }) => accountOf(NATIVE_MINT, publicKey)) as [
      PublicKey,
      PublicKey,
    ]
    through(owner, createTransferInstruction(from, to, owner.publicKey, 1n))
    await expect(prepare(question(owner))).rejects.toMatchObject({ problem: 'unsafe_answer' })
  })
})

describe('nothing is run, and the plan shows what is missing, with', () => {
  test.each<[string, bigint, Partial<SwapQuestion>, unknown]>([
    [
      'too few tokens',
      1_000_000_000n,
      { sellAmount: 2_000_000_000n },
      { kind: 'token', available: 1_000_000_000n },
    ],
    [
      'too little SOL',
      0n,
      { sellToken: wrappedSol, sellAmount: funds },
      { kind: 'native', available: funds },
    ],
    ['no account for the sold token', 0n, {}, { kind: 'token', available: 0n }],
  ])('%s', async (_name, tokens, more, shortage) => {
    const { steps, rent } = await prepare(question(await trader(tokens), more))
    expect([steps[0]?.plan.shortages, rent]).toEqual([[expect.objectContaining(shortage as object)], 0n])
  })

  test('too little SOL for the rent of an account', async () => {
    const owner = await chain.wallet(1_500_000n)
    await chain.make(chain.tokens(owner.publicKey, usdc, 100_000_000n))
    const { steps } = await prepare(question(owner))
    expect(steps[0]?.plan.shortages).toMatchObject([{ kind: 'native', available: 1_500_000n }])
  })
})

test('a price that has moved is not reported as a failure', async () => {
  const owner = await trader()
  const setPrice = (numerator: number) =>
    chain.devnet.control('price', { sold: usdc, bought: usdt, numerator, denominator: 1000 })
  await setPrice(990)
  await expect(prepare(question(owner))).rejects.toMatchObject({ problem: 'price_moved' })
  expect(await prepare(question(owner, { slippageBps: 100 }))).toMatchObject({ minBuyAmount: 98_703_000n })
  await setPrice(997)
})

test.each<[string, () => string, string]>([
  ['that is none', () => Keypair.generate().publicKey.toBase58(), 'token_not_supported'],
  ['that keeps a part of each transfer', () => chain.devnet.feeToken, 'token_not_supported'],
])('a token %s is refused before a request to Jupiter', async (_name, token, problem) => {
  standIn.asked = []
  await expect(prepare(question(await trader(), { buyToken: token() }))).rejects.toMatchObject({ problem })
  expect(standIn.asked).toEqual([])
})

test('a recipient that is no wallet is refused', async () => {
  const owner = await trader()
  const account = accountOf(new PublicKey(usdc), owner.publicKey).toBase58()
  for (const to of [account, usdc])
    await expect(prepare(question(owner, { to }))).rejects.toMatchObject({ reason: 'recipient_is_token' })
})

const newKeys = (count: number) =>
  Array.from({ length: count }, () => Keypair.generate().publicKey.toBase58())
const someAccount = { pubkey: wrappedSol, isSigner: false, isWritable: false }

test.each([
  ['no instructions', { swapInstruction: undefined }],
  ['data that is not base64', { setupInstructions: [{ programId: wrappedSol, accounts: [], data: '*' }] }],
  [
    'too many accounts',
    { swapInstruction: { programId: wrappedSol, accounts: Array(256).fill(someAccount), data: '' } },
  ],
  [
    'too many instructions',
    { setupInstructions: Array(13).fill({ programId: wrappedSol, accounts: [], data: '' }) },
  ],
  ['too much data', { swapInstruction: { programId: wrappedSol, accounts: [], data: 'A'.repeat(2052) } }],
  [
    'too many tables',
    { addressesByLookupTableAddress: Object.fromEntries(newKeys(17).map((each) => [each, []])) },
  ],
  ['tables that are none', { addressesByLookupTableAddress: [] }],
])('an answer with %s is malformed', async (_name, more) => {
  standIn.lie = (answer) => ({ ...answer, ...more })
  await expect(prepare(question(await trader()))).rejects.toMatchObject({ problem: 'malformed' })
})

describe('an answer that would rob the sender is unsafe:', () => {
  let owner: Keypair
  let savings: Keypair
  let lent: Keypair
  let multisig: Keypair
  let thief: PublicKey
  beforeEach(async () => {
    owner = await trader()
    ;[savings, lent, multisig] = [Keypair.generate(), Keypair.generate(), Keypair.generate()]
    thief = Keypair.generate().publicKey
    const gifts = [usdc, usdt].flatMap((mint) => chain.tokens(thief, mint, 1n))
    await chain.make([...gifts, ...savingsOf(owner.publicKey, savings)], [savings])
    const faucet = chain.faucet.publicKey
    const approval = createApproveInstruction(lent.publicKey, owner.publicKey, faucet, 1_000n)
    await chain.make([...savingsOf(faucet, lent), approval], [lent])
    await chain.make(multisigOf(owner, multisig), [multisig])
  })

  test.each(Object.keys(hostileBuilds))('%s', async (name) => {
    standIn.lie = hostileBuild(name, {
      ...{ owner: owner.publicKey, savings: savings.publicKey, thief },
      ...{ lent: lent.publicKey, multisig: multisig.publicKey },
    })
    const swap = hostileBuilds[name]?.swap ?? 'tokens'
    const swapped = {
      tokens: {},
      sellsSol: { sellToken: wrappedSol, buyToken: usdc, sellAmount: 1_000_000_000n },
      buysSol: { buyToken: wrappedSol },
    }
    const asked = question(
      owner,
      swap === 'gift'
        ? { buyToken: wrappedSol, to: (await chain.wallet(10_000_000n)).publicKey.toBase58() }
        : swapped[swap],
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
function savingsOf(owner: PublicKey, savings: Keypair): TransactionInstruction[] {
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
    createInitializeAccount3Instruction(savings.publicKey, mint, owner),
    createTransferInstruction(accountOf(mint, payer), savings.publicKey, payer, 1_000n),
  ]
}

/** Instructions that make a multisig of one owner, which holds USDC. */
function multisigOf(owner: Keypair, { publicKey: multisig }: Keypair): TransactionInstruction[] {
  const { publicKey: payer } = chain.faucet
  const created = {
    fromPubkey: payer,
    newAccountPubkey: multisig,
    space: MULTISIG_SIZE,
    lamports: 10_000_000,
    programId: TOKEN_PROGRAM_ID,
  }
  return [
    SystemProgram.createAccount(created),
    createInitializeMultisigInstruction(multisig, [owner.publicKey], 1),
    ...chain.tokens(multisig, usdc, 1_000n),
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
