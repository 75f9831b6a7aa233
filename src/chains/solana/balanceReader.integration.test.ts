import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  ACCOUNT_SIZE,
  createFreezeAccountInstruction,
  createInitializeAccount3Instruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createTransferCheckedInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import { newAddress, type SolanaSending, startSolanaSending } from '../../../test/support/solanaSending.ts'
import { ProviderError } from '../chain.ts'
import type { BalanceReader } from '../sending.ts'
import { solanaBalanceReader } from './balanceReader.ts'
import { metadataAddressOf, symbolOf } from './tokenNames.ts'

let chain: SolanaSending
let reader: BalanceReader
beforeAll(async () => {
  chain = await startSolanaSending()
  reader = solanaBalanceReader(chain.ctx)
})
afterAll(() => chain.close())

const funds = 50_000_000n
const text = (value: string) => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The instruction `Initialize` of the token metadata interface (Token-2022 docs, "Metadata"). */
function initializeMetadata(mint: PublicKey, authority: PublicKey, symbol: string): TransactionInstruction {
  const keys = [mint, authority, mint].map((pubkey, index) => ({
    pubkey,
    isSigner: false,
    isWritable: index === 0,
  }))
  return new TransactionInstruction({
    programId: TOKEN_2022_PROGRAM_ID,
    keys: [...keys, { pubkey: authority, isSigner: true, isWritable: false }],
    data: Buffer.concat([
      Buffer.of(210, 225, 30, 162, 88, 184, 77, 141),
      text('A token'),
      text(symbol),
      text('https://example.com'),
    ]),
  })
}

/** Creates a mint with nine decimals; with a symbol, it carries its own metadata. */
async function newMint(symbol: string | null): Promise<string> {
  const [mint, { publicKey: payer }] = [Keypair.generate(), chain.faucet]
  const program = symbol === null ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID
  const space = getMintLen(symbol === null ? [] : [ExtensionType.MetadataPointer])
  await chain.make(
    [
      SystemProgram.createAccount({
        fromPubkey: payer,
        newAccountPubkey: mint.publicKey,
        space,
        programId: program,
        lamports: 10_000_000,
      }),
      ...(symbol === null
        ? []
        : [createInitializeMetadataPointerInstruction(mint.publicKey, payer, mint.publicKey, program)]),
      createInitializeMint2Instruction(mint.publicKey, 9, payer, payer, program),
      ...(symbol === null ? [] : [initializeMetadata(mint.publicKey, payer, symbol)]),
    ],
    [mint],
  )
  return mint.publicKey.toBase58()
}

describe('balances', () => {
  test('cover SOL and tokens of both programs, in the requested order', async () => {
    const { usdc, usdt, feeToken } = chain.devnet
    const wallet = await chain.wallet(funds)
    await chain.make([
      ...chain.tokens(wallet.publicKey, usdt, 5n),
      ...chain.tokens(wallet.publicKey, feeToken, 1_000n, TOKEN_2022_PROGRAM_ID),
    ])
    expect(await reader.balances(wallet.publicKey.toBase58(), [usdt, feeToken, usdc])).toEqual({
      native: funds,
      tokens: [
        { contract: usdt, symbol: 'USDT', decimals: 6, balance: 5n, problem: null },
        // It withholds 1 % of each transfer, and has no name.
        { contract: feeToken, symbol: null, decimals: 6, balance: 990n, problem: 'bad_symbol' },
        { contract: usdc, symbol: 'USDC', decimals: 6, balance: 0n, problem: null },
      ],
    })
  })

  test('are zero for an address that the chain has never seen', async () => {
    expect(await reader.balances(newAddress(), [])).toEqual({ native: 0n, tokens: [] })
    expect(await reader.balances(newAddress(), [chain.devnet.usdc])).toMatchObject({
      native: 0n,
      tokens: [{ balance: 0n, problem: null }],
    })
  })

  test('of SOL are read for many addresses at once', async () => {
    const [wallet, others] = [await chain.wallet(funds), Array.from({ length: 101 }, newAddress)]
    expect(await reader.spendable([...others, wallet.publicKey.toBase58()])).toEqual([
      ...others.map(() => 0n),
      funds,
    ])
  })

  test('of SOL and of associated accounts are read for many addresses at once', async () => {
    const owner = await chain.wallet(funds)
    await chain.make(chain.tokens(owner.publicKey, chain.devnet.usdc, 12n))
    const others = Array.from({ length: 60 }, newAddress)
    const read = await reader.many?.(
      [...others, owner.publicKey.toBase58()],
      [chain.devnet.usdt, chain.devnet.usdc],
      null,
    )
    expect(read).toEqual([
      ...others.map(() => ({ native: 0n, tokens: [0n, 0n] })),
      { native: funds, tokens: [0n, 12n] },
    ])
  })

  test('of a token sum all accounts of the owner, frozen ones included, and no other accounts', async () => {
    const { usdc } = chain.devnet
    const [wallet, second] = [await chain.wallet(funds), Keypair.generate()]
    const { publicKey: payer } = chain.faucet
    const [mint, faucetAccount] = [
      new PublicKey(usdc),
      getAssociatedTokenAddressSync(new PublicKey(usdc), payer),
    ]
    const lamports = await chain.connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE)
    await chain.make(
      [
        ...chain.tokens(wallet.publicKey, usdc, 30n),
        SystemProgram.createAccount({
          fromPubkey: payer,
          newAccountPubkey: second.publicKey,
          space: ACCOUNT_SIZE,
          programId: TOKEN_PROGRAM_ID,
          lamports,
        }),
        createInitializeAccount3Instruction(second.publicKey, mint, wallet.publicKey),
        createTransferCheckedInstruction(faucetAccount, mint, second.publicKey, payer, 12n, 6),
        createFreezeAccountInstruction(second.publicKey, mint, payer),
      ],
      [second],
    )
    const balanceOf = async (owner: PublicKey) =>
      (await reader.balances(owner.toBase58(), [usdc])).tokens[0]?.balance
    expect(await balanceOf(wallet.publicKey)).toBe(42n)
    // A token account's balance belongs to its owner, not to the account's own address.
    expect(await balanceOf(second.publicKey)).toBe(0n)
  })

  test('are confirmed ones: without pending transactions, and not only final ones', async () => {
    const wallet = await chain.wallet(funds)
    const transaction = new Transaction({
      feePayer: chain.faucet.publicKey,
      ...(await chain.connection.getLatestBlockhash('confirmed')),
    })
    transaction.add(...chain.tokens(wallet.publicKey, chain.devnet.usdc, 3n)).sign(chain.faucet)
    await chain.connection.sendRawTransaction(transaction.serialize())
    const read = async () =>
      (await reader.balances(wallet.publicKey.toBase58(), [chain.devnet.usdc])).tokens[0]?.balance
    expect(await read()).toBe(0n)
    await chain.mine()
    expect(await read()).toBe(3n)
  })

  test('are complete for more tokens than one call returns', async () => {
    const contracts = [...Array.from({ length: 120 }, newAddress), chain.devnet.usdc]
    const { tokens: found } = await reader.balances(chain.faucet.publicKey.toBase58(), contracts)
    expect(found.map(({ contract }) => contract)).toEqual(contracts)
    expect(found.at(-1)).toMatchObject({ symbol: 'USDC', problem: null })
    expect(found.slice(0, -1).every(({ problem }) => problem === 'not_a_token')).toBe(true)
  })

  test('come from another node if one is down, and fail if all are down', async () => {
    await chain.devnet.control('misbehave', { face: 'down', down: true })
    const address = chain.faucet.publicKey.toBase58()
    expect(
      (await solanaBalanceReader(chain.through('down', 'fresh')).balances(address, [chain.devnet.usdc]))
        .tokens,
    ).toHaveLength(1)
    await expect(solanaBalanceReader(chain.through('down')).balances(address, [])).rejects.toThrow(
      ProviderError,
    )
  })
})

describe('a requested contract', () => {
  test('that is not a token has a problem and no numbers', async () => {
    const { usdc, senderProgram } = chain.devnet
    const account = getAssociatedTokenAddressSync(new PublicKey(usdc), chain.faucet.publicKey).toBase58()
    const contracts = [
      newAddress(),
      chain.faucet.publicKey.toBase58(),
      account,
      senderProgram,
      SystemProgram.programId.toBase58(),
    ]
    const { tokens: found } = await reader.balances(chain.faucet.publicKey.toBase58(), contracts)
    expect(found).toEqual(
      contracts.map((contract) => ({
        contract,
        symbol: null,
        decimals: null,
        balance: null,
        problem: 'not_a_token',
      })),
    )
  })

  test('with its own metadata has that symbol', async () => {
    const contract = await newMint('GOLD')
    expect((await reader.balances(newAddress(), [contract])).tokens).toEqual([
      { contract, symbol: 'GOLD', decimals: 9, balance: 0n, problem: null },
    ])
  })

  test.each<[string, string | null]>([
    ['no name', null],
    ['an empty name', ''],
    ['a blank name', '  '],
    ['a name that is too long', 'A'.repeat(33)],
    ['a name with a direction override', 'USD\u202eC'],
    ['a name with a control character', 'US\u0007DC'],
  ])('with %s has no symbol, but balance and decimals', async (_what, symbol) => {
    const contract = await newMint(symbol)
    expect((await reader.balances(newAddress(), [contract])).tokens).toEqual([
      { contract, symbol: null, decimals: 9, balance: 0n, problem: 'bad_symbol' },
    ])
  })

  test('is read as a token once its mint exists, also if it was requested before', async () => {
    const early = Keypair.generate()
    const contract = early.publicKey.toBase58()
    expect((await reader.balances(newAddress(), [contract])).tokens).toMatchObject([
      { problem: 'not_a_token' },
    ])
    const { publicKey: payer } = chain.faucet
    const lamports = 10_000_000
    await chain.make(
      [
        SystemProgram.createAccount({
          fromPubkey: payer,
          newAccountPubkey: early.publicKey,
          space: getMintLen([]),
          programId: TOKEN_PROGRAM_ID,
          lamports,
        }),
        createInitializeMint2Instruction(early.publicKey, 2, payer, payer),
      ],
      [early],
    )
    expect((await reader.balances(newAddress(), [contract])).tokens).toMatchObject([
      { decimals: 2, problem: 'bad_symbol' },
    ])
  })
})

describe('Metaplex metadata', () => {
  const metaplex = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const mint = { program: TOKEN_PROGRAM_ID.toBase58(), decimals: 6, tlvData: Buffer.alloc(0) }
  /** An account as the program writes it: kind, authority, mint, and texts padded with NULs. */
  const nameAccount = ({ owner = metaplex, kind = 4, of = usdc, symbol = 'USDC', cut = 1000 } = {}) => ({
    owner,
    lamports: 1n,
    executable: false,
    data: Buffer.concat([
      ...[Buffer.of(kind), new PublicKey(newAddress()).toBuffer(), new PublicKey(of).toBuffer()],
      ...[
        text('USD Coin'.padEnd(32, '\0')),
        text(symbol.padEnd(10, '\0')),
        text('https://example.com'.padEnd(200, '\0')),
      ],
    ]).subarray(0, cut),
  })

  test('is at the address that mainnet has for USDC', () => {
    expect(metadataAddressOf(usdc)).toBe('5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq')
  })

  test('gives the symbol', () => {
    expect(symbolOf(usdc, mint, nameAccount())).toBe('USDC')
  })

  test.each<[string, Parameters<typeof nameAccount>[0]]>([
    ['of another program', { owner: SystemProgram.programId.toBase58() }],
    ['of another kind', { kind: 6 }],
    ['of another mint', { of: TOKEN_PROGRAM_ID.toBase58() }],
    ['that is truncated', { cut: 108 }],
    ['with an empty symbol', { symbol: '' }],
  ])('%s is ignored', (_what, made) => {
    expect(symbolOf(usdc, mint, nameAccount(made))).toBeNull()
  })
})
