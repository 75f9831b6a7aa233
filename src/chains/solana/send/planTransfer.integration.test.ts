import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  AccountState,
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createFreezeAccountInstruction,
  createInitializeDefaultAccountStateInstruction,
  createInitializeMint2Instruction,
  createInitializeMultisigInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createThawAccountInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  MULTISIG_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js'
import {
  builder,
  newAddress,
  privateKeyOf,
  type SolanaSending,
  signed,
  sol,
  startSolanaSending,
  token,
} from '../../../../test/support/solanaSending.ts'
import type { TransferSpec } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import { ActionRefusedError } from '../../sending.ts'
import { requireOpened } from '../requireOpened.ts'
import { planTransfer } from './planTransfer.ts'
import { readTerms, writeTerms } from './terms.ts'

let chain: SolanaSending
let from: Keypair
let usdc: string
/** Rent-exempt minimum of an account without data, and of a token account. */
let [min, rent] = [0n, 0n]
const funds = 1_000_000_000n

beforeAll(async () => {
  chain = await startSolanaSending()
  usdc = chain.devnet.usdc
  const minimum = async (bytes: number) =>
    BigInt(await chain.connection.getMinimumBalanceForRentExemption(bytes))
  min = await minimum(0)
  rent = await minimum(165)
  from = await chain.wallet(funds)
  await chain.make(chain.tokens(from.publicKey, usdc, 1_000n))
})
afterAll(() => chain.close())

const associated = (owner: PublicKey, mint = usdc, program = TOKEN_PROGRAM_ID) =>
  getAssociatedTokenAddressSync(new PublicKey(mint), owner, true, program)
const plan = (transfer: TransferSpec) => chain.sender.plan(transfer)
/** Plans, and returns the refusal. */
const refusal = async (transfer: TransferSpec): Promise<Partial<ActionRefusedError>> => {
  const error = await plan(transfer).then(
    () => new Error('the plan was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ActionRefusedError)) throw error
  return { reason: error.reason, field: error.field, message: error.message }
}

describe('the recipient', () => {
  test.each<[string, () => string]>([
    ['the mint of the token', () => usdc],
    ['the mint of another token', () => chain.devnet.feeToken],
  ])('that is %s is refused', async (_what, to) => {
    const why = {
      reason: 'recipient_is_token',
      field: 'toAddress',
      message: expect.stringContaining('mint of a token'),
    }
    expect(await refusal(sol(from, to(), 1_000_000n))).toEqual(why)
    expect(await refusal(token(from, to(), 1n, usdc))).toEqual(why)
  })

  test('that is a token account is refused, with a hint to its owner’s address', async () => {
    const to = associated(chain.faucet.publicKey).toBase58()
    const why = {
      reason: 'recipient_is_token',
      field: 'toAddress',
      message: expect.stringContaining('the address of the wallet that owns it'),
    }
    expect(await refusal(sol(from, to, 1_000_000n))).toEqual(why)
    expect(await refusal(token(from, to, 1n, usdc))).toEqual(why)
  })

  test('that is a program is refused', async () => {
    for (const to of [
      chain.devnet.senderProgram,
      TOKEN_PROGRAM_ID.toBase58(),
      SystemProgram.programId.toBase58(),
    ]) {
      const why = {
        reason: 'recipient_without_key',
        field: 'toAddress',
        message: expect.stringContaining('a program'),
      }
      expect(await refusal(sol(from, to, 1_000_000n))).toEqual(why)
      expect(await refusal(token(from, to, 1n, usdc))).toEqual(why)
    }
  })

  test('that burns, or is an account of the network, is refused, with anything on the chain there', async () => {
    const found: unknown[] = []
    for (const to of [
      '1nc1nerator11111111111111111111111111111111',
      'SysvarC1ock11111111111111111111111111111111',
    ])
      for (const transfer of [sol(from, to, 1_000_000n), token(from, to, 1n, usdc)])
        found.push((await refusal(transfer)).message)
    const [burns, system] = ['a burn address', 'an account of the network'].map((what) =>
      expect.stringContaining(what),
    )
    expect(found).toEqual([burns, burns, system, system])
  })

  test('is read where a request names it, too: a mint and a program are refused, a new address is taken, and without a node one with a key', async () => {
    const wrong = async (address: string, ctx = chain.ctx) =>
      requireOpened(ctx, address).then(
        () => null,
        (error: unknown) => (error instanceof ActionRefusedError ? error.reason : error),
      )
    expect([await wrong(usdc), await wrong(chain.devnet.senderProgram)]).toEqual([
      'recipient_is_token',
      'recipient_without_key',
    ])
    expect([await wrong(newAddress()), await wrong(from.publicKey.toBase58())]).toEqual([null, null])
    const unopened = associated(new PublicKey(newAddress())).toBase58()
    expect(await wrong(unopened)).toBe('recipient_without_key')
    const away = {
      ...chain.ctx,
      providers: { ...chain.ctx.providers, ask: async () => Promise.reject(new ProviderError('away')) },
    }
    expect([await wrong(usdc, away), await wrong(unopened, away)]).toEqual([null, expect.any(ProviderError)])
  })

  test('that is a multisig of the token program may receive tokens, but not SOL', async () => {
    const multisig = Keypair.generate()
    const lamports = await chain.connection.getMinimumBalanceForRentExemption(MULTISIG_SIZE)
    const created = {
      fromPubkey: chain.faucet.publicKey,
      newAccountPubkey: multisig.publicKey,
      space: MULTISIG_SIZE,
      programId: TOKEN_PROGRAM_ID,
    }
    const members = [newAddress(), newAddress()].map((each) => new PublicKey(each))
    await chain.make(
      [
        SystemProgram.createAccount({ ...created, lamports }),
        createInitializeMultisigInstruction(multisig.publicKey, members, 2),
      ],
      [multisig],
    )
    const to = multisig.publicKey.toBase58()
    expect(await refusal(sol(from, to, 1_000_000n))).toMatchObject({ reason: 'recipient_is_token' })
    expect(await plan(token(from, to, 1n, usdc))).toMatchObject({ otherCosts: rent, shortages: [] })
  })

  test('off the curve that does not exist is refused: a token account never opened, or opened, emptied and closed', async () => {
    const owner = await chain.wallet(funds)
    const to = associated(owner.publicKey)
    const why = {
      reason: 'recipient_without_key',
      field: 'toAddress',
      message: expect.stringContaining('does not exist on the chain'),
    }
    const refused = async () => {
      expect(await refusal(sol(from, to.toBase58(), 1_000_000n))).toEqual(why)
      expect(await refusal(token(from, to.toBase58(), 5n, usdc))).toEqual(why)
    }
    await refused()
    await chain.make(chain.tokens(owner.publicKey, usdc, 0n))
    expect(await refusal(token(from, to.toBase58(), 5n, usdc))).toMatchObject({
      reason: 'recipient_is_token',
    })
    await chain.make([createCloseAccountInstruction(to, owner.publicKey, owner.publicKey)], [owner])
    await refused()
  })

  test('off the curve that holds SOL, such as the vault of a multisig, may receive both', async () => {
    const [owner] = PublicKey.findProgramAddressSync(
      [Buffer.from('vault')],
      new PublicKey(chain.devnet.senderProgram),
    )
    await chain.make([
      SystemProgram.transfer({ fromPubkey: chain.faucet.publicKey, toPubkey: owner, lamports: min }),
    ])
    expect(await plan(sol(from, owner.toBase58(), min))).toMatchObject({ shortages: [] })
    expect(await plan(token(from, owner.toBase58(), 1n, usdc))).toMatchObject({ shortages: [] })
  })

  test('that is new must receive at least the rent-exempt minimum', async () => {
    expect(min).toBe(890_880n)
    const why = {
      reason: 'below_minimum_balance',
      field: 'amount',
      message: expect.stringContaining('890880'),
    }
    expect(await refusal(sol(from, newAddress(), min - 1n))).toEqual(why)
    expect(await plan(sol(from, newAddress(), min))).toMatchObject({ otherCosts: 0n, shortages: [] })
    // An existing account accepts any amount.
    const open = await chain.wallet(min)
    expect(await plan(sol(from, open.publicKey.toBase58(), 1n))).toMatchObject({ shortages: [] })
  })

  test('whose token account has another owner by now is refused', async () => {
    const to = await chain.wallet(funds)
    const changeOwner = createSetAuthorityInstruction(
      associated(to.publicKey),
      to.publicKey,
      AuthorityType.AccountOwner,
      new PublicKey(newAddress()),
    )
    await chain.make([...chain.tokens(to.publicKey, usdc, 5n), changeOwner], [to])
    expect(await refusal(token(from, to.publicKey.toBase58(), 1n, usdc))).toMatchObject({
      reason: 'recipient_without_trustline',
      field: 'toAddress',
    })
    // Nor can it send from that account.
    expect(await plan(token(to, newAddress(), 1n, usdc))).toMatchObject({
      shortages: [{ kind: 'token', available: 0n }],
    })
  })

  test('may be the sender', async () => {
    expect(await plan(sol(from, from.publicKey.toBase58(), 1n))).toMatchObject({ shortages: [] })
    expect(await plan(token(from, from.publicKey.toBase58(), 1n, usdc))).toMatchObject({
      shortages: [],
      otherCosts: 0n,
    })
  })
})

describe('the token', () => {
  test('that is not a mint is refused', async () => {
    for (const contract of [
      newAddress(),
      from.publicKey.toBase58(),
      associated(from.publicKey).toBase58(),
      TOKEN_PROGRAM_ID.toBase58(),
    ]) {
      const why = {
        reason: 'simulation_failed',
        field: 'token',
        message: expect.stringContaining('not a mint'),
      }
      expect(await refusal(token(from, newAddress(), 1n, contract))).toEqual(why)
    }
  })

  test('with other decimals than in the transfer is refused', async () => {
    const transfer = {
      ...token(from, newAddress(), 1n, usdc),
      token: { contract: usdc, symbol: 'USDC', decimals: 9 },
    }
    expect(await refusal(transfer)).toEqual({
      reason: 'simulation_failed',
      field: 'token',
      message: 'the token has 6 decimals on this chain',
    })
  })

  test('in a frozen account can neither be sent nor received', async () => {
    const [frozen, free] = [await chain.wallet(funds), await chain.wallet(funds)]
    const freeze = createFreezeAccountInstruction(
      associated(frozen.publicKey),
      new PublicKey(usdc),
      chain.faucet.publicKey,
    )
    await chain.make([
      ...chain.tokens(frozen.publicKey, usdc, 5n),
      ...chain.tokens(free.publicKey, usdc, 5n),
      freeze,
    ])
    const frozenSender = await refusal(token(frozen, free.publicKey.toBase58(), 1n, usdc))
    expect(frozenSender).toEqual({
      reason: 'simulation_failed',
      field: null,
      message: 'the sender’s account for the token is frozen',
    })
    const frozenRecipient = await refusal(token(free, frozen.publicKey.toBase58(), 1n, usdc))
    expect(frozenRecipient).toEqual({
      reason: 'simulation_failed',
      field: 'toAddress',
      message: 'the recipient’s account for the token is frozen',
    })
  })

  test('refused by the simulation is refused with the program’s error', async () => {
    const [mint, owner, program] = [Keypair.generate(), chain.faucet.publicKey, TOKEN_2022_PROGRAM_ID]
    const space = getMintLen([ExtensionType.DefaultAccountState])
    const lamports = await chain.connection.getMinimumBalanceForRentExemption(space)
    const account = associated(from.publicKey, mint.publicKey.toBase58(), program)
    await chain.make(
      [
        SystemProgram.createAccount({
          fromPubkey: owner,
          newAccountPubkey: mint.publicKey,
          space,
          programId: program,
          lamports,
        }),
        createInitializeDefaultAccountStateInstruction(mint.publicKey, AccountState.Frozen, program),
        createInitializeMint2Instruction(mint.publicKey, 6, owner, owner, program),
        createAssociatedTokenAccountIdempotentInstruction(
          owner,
          account,
          from.publicKey,
          mint.publicKey,
          program,
        ),
        createThawAccountInstruction(account, mint.publicKey, owner, [], program),
        createMintToInstruction(mint.publicKey, account, owner, 10n, [], program),
      ],
      [mint],
    )
    // Accounts of this token are frozen when opened.
    expect(await refusal(token(from, newAddress(), 1n, mint.publicKey.toBase58()))).toEqual({
      reason: 'simulation_failed',
      field: null,
      message: 'the transfer would fail: instruction 4: custom program error 0x11 (Account is frozen)',
    })
  })
})

describe('the sender', () => {
  const native = { kind: 'native', symbol: 'SOL', decimals: 9 }

  test('needs the amount, the fee and the rent-exempt minimum: one lamport less is a shortage', async () => {
    const { fee } = await plan(sol(from, newAddress(), 5_000_000n))
    const required = 5_000_000n + fee.max + min
    const [enough, less] = [await chain.wallet(required), await chain.wallet(required - 1n)]
    expect(await plan(sol(enough, newAddress(), 5_000_000n))).toMatchObject({ shortages: [] })
    expect(await plan(sol(less, newAddress(), 5_000_000n))).toMatchObject({
      shortages: [{ ...native, required, available: required - 1n }],
    })
  })

  test('that does not exist has shortages of token and SOL', async () => {
    const missing = Keypair.generate()
    const { shortages, fee } = await plan(token(missing, newAddress(), 7n, usdc))
    expect(shortages).toEqual([
      { kind: 'token', symbol: 'USDC', decimals: 6, required: 7n, available: 0n },
      { ...native, required: fee.max + rent + min, available: 0n },
    ])
    expect(fee.max).toBeGreaterThan(5000n)
  })

  test('without funds to simulate gets the same rent as one with funds, also for accounts with extensions', async () => {
    const { feeToken } = chain.devnet
    const [funded, unfunded] = await Promise.all(
      [chain.faucet, Keypair.generate()].map((each) => plan(token(each, newAddress(), 1n, feeToken, 'FEE'))),
    )
    expect(funded).toMatchObject({ shortages: [] })
    expect(funded?.otherCosts).toBeGreaterThan(rent)
    expect(unfunded?.otherCosts).toBe(funded?.otherCosts)
  })

  test('without enough tokens gets a shortage with the balance of its associated account', async () => {
    expect(await plan(token(from, newAddress(), 1_001n, usdc))).toMatchObject({
      otherCosts: rent,
      shortages: [{ kind: 'token', symbol: 'USDC', required: 1_001n, available: 1_000n }],
    })
    expect(await plan(token(from, newAddress(), 1n, chain.devnet.usdt, 'USDT'))).toMatchObject({
      shortages: [{ kind: 'token', available: 0n }],
    })
  })

  test('needs SOL for rent only if the recipient’s account must be opened', async () => {
    const poor = await chain.wallet(min + 100_000n)
    await chain.make(chain.tokens(poor.publicKey, usdc, 10n))
    expect(await plan(token(poor, newAddress(), 1n, usdc))).toMatchObject({
      otherCosts: rent,
      shortages: [{ ...native, available: min + 100_000n }],
    })
    expect(await plan(token(poor, chain.faucet.publicKey.toBase58(), 1n, usdc))).toMatchObject({
      otherCosts: 0n,
      shortages: [],
    })
  })

  test.each([0, 777_777, 2_000_000])(
    'may keep nothing, but not less than the minimum, at a price of %d for a compute unit',
    async (prioritizationFee) => {
      const ctx = chain.answering({ getRecentPrioritizationFees: [{ slot: 1, prioritizationFee }] })
      const { fee } = await planTransfer(ctx, sol(from, newAddress(), 5_000_000n))
      const [exact, rest] = [
        await chain.wallet(5_000_000n + fee.max),
        await chain.wallet(5_000_001n + fee.max),
      ]
      const transfer = sol(exact, newAddress(), 5_000_000n)
      const plan = await planTransfer(ctx, transfer)
      expect(plan).toMatchObject({ fee, shortages: [] })
      expect(await planTransfer(ctx, sol(rest, newAddress(), 5_000_000n))).toMatchObject({
        shortages: [native],
      })
      expect(
        await chain.sender.broadcast(builder.sign(transfer, plan.terms, null, [privateKeyOf(exact)])),
      ).toMatchObject({ status: 'accepted' })
      await chain.mine()
      expect(await chain.lamportsOf(exact.publicKey)).toBe(0n)
      expect(await chain.lamportsOf(transfer.to)).toBe(5_000_000n)
    },
  )

  test('of a token pays for the simulated units', async () => {
    const ctx = chain.answering({ getRecentPrioritizationFees: [{ slot: 1, prioritizationFee: 50_000 }] })
    const { terms, fee, otherCosts } = await planTransfer(ctx, token(from, newAddress(), 1n, usdc))
    expect(fee).toEqual({ expected: BigInt(String(terms.fee)), max: fee.expected })
    // A twentieth of a lamport for each simulated and each spare unit.
    expect(Number(fee.max) - 5000 - Number(terms.computeUnits) / 20).toBeLessThanOrEqual(26)
    expect(otherCosts).toBe(rent)
  })

  test('cannot empty an account if the fee alone leaves less than the minimum: the chain would refuse it', async () => {
    const { fee, terms } = await plan(sol(from, chain.faucet.publicKey.toBase58(), 5_000_000n))
    const small = await chain.wallet(min + 1000n)
    const transfer = sol(small, chain.faucet.publicKey.toBase58(), min + 1000n - fee.max)
    expect(await plan(transfer)).toMatchObject({ shortages: [native] })
    const { blockhash, lastValidBlockHeight } = await chain.connection.getLatestBlockhash('confirmed')
    const fresh = writeTerms({
      ...readTerms(terms),
      blockhash,
      lastValidBlockHeight: BigInt(lastValidBlockHeight),
    })
    expect(
      await chain.sender.broadcast(builder.sign(transfer, fresh, null, [privateKeyOf(small)])),
    ).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('insufficient funds for rent'),
    })
  })
})

describe('the terms', () => {
  test('request slightly more than the simulated units, at the minimum price without other bids, and the latest blockhash', async () => {
    const transfer = token(from, newAddress(), 1n, usdc)
    const {
      plan: { terms },
      transaction,
    } = await signed(chain.sender, from, transfer)
    const { value } = await chain.connection.simulateTransaction(
      VersionedTransaction.deserialize(transaction.bytes),
    )
    const units = Number(terms.computeUnits)
    expect(value.unitsConsumed).toBeGreaterThan(0)
    const min = Math.ceil((value.unitsConsumed ?? 0) * 1.2) + 1000
    expect(units).toBeGreaterThanOrEqual(min)
    expect(units).toBeLessThanOrEqual(min + 500)
    // Any limit and price that cost what the maximum units cost at the minimum price.
    expect(Math.ceil((units * Number(terms.microLamports)) / 1e6)).toBe(Math.ceil((min + 500) / 1000))
    expect(terms.fee).toBe(String(5000 + Math.ceil((min + 500) / 1000)))
    const latest = await chain.connection.getLatestBlockhash('confirmed')
    expect([terms.blockhash, terms.lastValidBlockHeight]).toEqual([
      latest.blockhash,
      String(latest.lastValidBlockHeight),
    ])
  })

  test('do not expire early if one node is behind, and do not come from a node far behind', async () => {
    await chain.mine(80)
    await chain.devnet.control('misbehave', { face: 'behind', lagBlocks: 10 })
    await chain.devnet.control('misbehave', { face: 'stuck', lagBlocks: 60 })
    const transfer = sol(from, newAddress(), 1_000_000n)
    const { lastValidBlockHeight } = await chain.connection.getLatestBlockhash('confirmed')
    const { terms } = await planTransfer(chain.through('behind', 'fresh'), transfer)
    expect(terms.lastValidBlockHeight).toBe(String(lastValidBlockHeight))
    const { terms: others } = await planTransfer(chain.through('stuck', 'fresh'), transfer)
    expect(others.blockhash).toBe((await chain.connection.getLatestBlockhash('confirmed')).blockhash)
  })

  describe.each([
    ['a slot for the last valid height', (slot: number) => ({ lastValidBlockHeight: slot + 22_000_000 }), {}],
    [
      'a height just above what a block proves',
      (_: number, honest: number) => ({ lastValidBlockHeight: honest + 2 }),
      {},
    ],
    [
      'a block above its slot, too',
      (slot: number) => ({ lastValidBlockHeight: slot + 22_000_000 }),
      { blockHeight: 22_000_000 },
    ],
  ])('from a node that reports %s', (_, lieOf, changedBlock) => {
    async function answers() {
      const { context, value } = await chain.connection.getLatestBlockhashAndContext('confirmed')
      const lie = {
        context,
        value: { blockhash: value.blockhash, ...lieOf(context.slot, value.lastValidBlockHeight) },
      }
      const block = {
        ...(await chain.connection.getBlock(context.slot, { transactionDetails: 'none', rewards: false })),
        ...changedBlock,
      }
      return {
        honest: value.lastValidBlockHeight,
        lies: { getLatestBlockhash: lie, ...('blockHeight' in changedBlock && { getBlock: block }) },
      }
    }

    test.each(['first', 'last'] as const)(
      'are not taken, and that node alone is doubted: %s',
      async (place) => {
        const { honest, lies } = await answers()
        const ctx = chain.withLiar(lies, place)
        const { terms } = await planTransfer(ctx, sol(from, newAddress(), 1_000_000n))
        expect(terms.lastValidBlockHeight).toBe(String(honest))
        const resting = ctx.providers.states().filter(({ open }) => open)
        expect(resting.map(({ name }) => name)).toEqual(['liar'])
      },
    )

    test('are not made at it alone', async () => {
      const { lies } = await answers()
      await expect(
        planTransfer(chain.withLiar(lies, 'alone'), sol(from, newAddress(), 1_000_000n)),
      ).rejects.toThrow(/liar reports last valid height \d+, but block height \d+ in slot \d+/)
    })
  })

  test('are not those of a node whose slots, blocks and heights are all invented far above the others', async () => {
    const { context, value } = await chain.connection.getLatestBlockhashAndContext('confirmed')
    const block = await chain.connection.getBlock(context.slot, {
      transactionDetails: 'none',
      rewards: false,
    })
    const far = 22_000_000
    const lies = {
      getLatestBlockhash: {
        context: { ...context, slot: far },
        value: { ...value, lastValidBlockHeight: far + 150 },
      },
      getBlocks: [far],
      getBlock: { ...block, parentSlot: far - 1, blockHeight: far, blockTime: Math.floor(Date.now() / 1000) },
    }
    const honest = {
      ...block,
      blockHeight: value.lastValidBlockHeight - 150,
      blockTime: Math.floor(Date.now() / 1000),
    }
    for (const place of ['first', 'last'] as const) {
      const ctx = chain.withLiar(lies, place, { getBlock: honest })
      const { terms } = await planTransfer(ctx, sol(from, newAddress(), 1_000_000n))
      expect(terms.lastValidBlockHeight).toBe(String(value.lastValidBlockHeight))
      expect(ctx.providers.states().flatMap(({ name, open }) => (open ? [name] : []))).toEqual(['liar'])
    }
  })

  test('are not made if all nodes are down', async () => {
    await chain.devnet.control('misbehave', { face: 'down', down: true })
    await expect(planTransfer(chain.through('down'), sol(from, newAddress(), 1_000_000n))).rejects.toThrow(
      ProviderError,
    )
  })
})
