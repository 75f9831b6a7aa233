import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { devnetKeys, keyOf } from '../devnets/solana/keys.ts'
import { jupiterProgram } from '../devnets/solana/poolProgram.ts'
import { type AnsweredInstruction, accountOf, answered } from './jupiterRoute.ts'

/** Whom an answer robs, and who gains. */
export interface Robbery {
  owner: PublicKey
  thief: PublicKey
  /** Another account of the owner for USDC. */
  savings: PublicKey
  /** An account of another owner for USDC, with the owner as its delegate. */
  lent: PublicKey
  /** A multisig of the token program that the owner alone can sign for. */
  multisig: PublicKey
}

export type Build = Record<string, unknown> & {
  setupInstructions: AnsweredInstruction[]
  swapInstruction: AnsweredInstruction
  addressesByLookupTableAddress: Record<string, string[]>
}

/** What is sold for what in the swap that an answer spoils. `gift`: USDC for SOL, to another wallet. */
export type Spoiled = 'tokens' | 'sellsSol' | 'buysSol' | 'gift'

interface Hostile {
  swap: Spoiled
  answer(build: Build, robbery: Robbery): object
}

const usdc = devnetKeys.usdc.publicKey
const usdt = devnetKeys.usdt.publicKey

/** Places of the arguments of `shared_accounts_route_v2`, by which tokens are swapped for tokens. */
const at = { inAmount: 9, quoted: 17, slippage: 25, platformFee: 27, positiveSlippage: 29 }

/** Changes bytes of the swap's data. */
const bytes = (build: Build, write: (data: Buffer) => unknown): Build => {
  const data = Buffer.from(build.swapInstruction.data, 'base64')
  write(data)
  return { ...build, swapInstruction: { ...build.swapInstruction, data: data.toString('base64') } }
}

/** Puts another address into a place of the swap's accounts. */
function account(build: Build, place: number, address: PublicKey): Build {
  const change = (each: AnsweredInstruction['accounts'][number], index: number) =>
    index === place ? { ...each, pubkey: address.toBase58(), isWritable: true } : each
  return {
    ...build,
    swapInstruction: { ...build.swapInstruction, accounts: build.swapInstruction.accounts.map(change) },
  }
}

/** One more instruction that the swap runs with the owner's signature, as a venue of a route could. */
export function venue(build: Build, { keys, data, programId }: TransactionInstruction): Build {
  const { swapInstruction: swap } = build
  const more = [...keys, { pubkey: programId, isSigner: false, isWritable: false }]
  const accounts = [
    ...swap.accounts,
    ...more.map(({ pubkey, ...flags }) => ({ pubkey: pubkey.toBase58(), ...flags })),
  ]
  const whole = Buffer.concat([Buffer.from(swap.data, 'base64'), data])
  return { ...build, swapInstruction: { ...swap, accounts, data: whole.toString('base64') } }
}

export const setup = (build: Build, ...more: TransactionInstruction[]): Build => ({
  ...build,
  setupInstructions: [...build.setupInstructions, ...more.map(answered)],
})

const pay = ({ owner, thief }: Robbery, lamports = 1_000_000_000): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: owner, toPubkey: thief, lamports })
const take = ({ owner, thief }: Robbery, mint: PublicKey, amount: bigint): TransactionInstruction =>
  createTransferInstruction(accountOf(mint, owner), accountOf(mint, thief), owner, amount)

/** Openings of accounts of the owner for tokens that exist on no chain. */
const foreign = (owner: PublicKey, count: number): TransactionInstruction[] =>
  Array.from({ length: count }, (_, i) => keyOf(`foreign token ${i}`).publicKey).map((mint) =>
    createAssociatedTokenAccountIdempotentInstruction(owner, accountOf(mint, owner), owner, mint),
  )

/** Names opened accounts among those of the swap. */
function naming(build: Build, openings: readonly TransactionInstruction[]): Build {
  const { swapInstruction: swap } = build
  const more = openings.map(({ keys }) => ({
    pubkey: keys[1]?.pubkey.toBase58() ?? '',
    isSigner: false,
    isWritable: true,
  }))
  return { ...build, swapInstruction: { ...swap, accounts: [...swap.accounts, ...more] } }
}

const tokens = (answer: Hostile['answer']): Hostile => ({ swap: 'tokens', answer })
const byVenue = (instruction: (robbery: Robbery) => TransactionInstruction): Hostile =>
  tokens((build, robbery) => venue(build, instruction(robbery)))

/** Answers of a hostile Jupiter, or of one whose route has a hostile venue. */
export const hostileBuilds: Readonly<Record<string, Hostile>> = {
  'another recipient': tokens((build, { thief }) => account(build, 5, accountOf(usdt, thief))),
  'another source': tokens((build, { savings }) => account(build, 2, savings)),
  'another payer': tokens((build, { thief }) => account(build, 1, thief)),
  'another token to sell': tokens((build) => account(build, 6, usdt)),
  'another token to buy': tokens((build) => account(build, 7, usdc)),
  'a larger amount': tokens((build) =>
    bytes(build, (data) => data.writeBigUInt64LE(200_000_000n, at.inAmount)),
  ),
  'a low quote': tokens((build) => bytes(build, (data) => data.writeBigUInt64LE(1n, at.quoted))),
  'more slippage': tokens((build) => bytes(build, (data) => data.writeUInt16LE(10_000, at.slippage))),
  'a platform fee': tokens((build) => bytes(build, (data) => data.writeUInt16LE(100, at.platformFee))),
  'a fee on better prices': tokens((build) =>
    bytes(build, (data) => data.writeUInt16LE(10_000, at.positiveSlippage)),
  ),
  'another instruction of the program': tokens((build) =>
    bytes(build, (data) => data.write('c1209b3341d69c81', 0, 'hex')),
  ),
  'cut arguments': tokens((build) => ({
    ...build,
    swapInstruction: {
      ...build.swapInstruction,
      data: Buffer.from(build.swapInstruction.data, 'base64').subarray(0, 30).toString('base64'),
    },
  })),
  'a counterfeit program': tokens((build) => ({
    ...build,
    swapInstruction: { ...build.swapInstruction, programId: devnetKeys.forwarder.publicKey.toBase58() },
  })),
  'another signer of events': tokens((build, { thief }) => account(build, 10, thief)),
  'a second signer': tokens((build, { thief }) => ({
    ...build,
    swapInstruction: {
      ...build.swapInstruction,
      accounts: [
        ...build.swapInstruction.accounts,
        { pubkey: thief.toBase58(), isSigner: true, isWritable: false },
      ],
    },
  })),

  'an extra transfer': tokens((build, robbery) => setup(build, pay(robbery))),
  'an extra transfer of tokens': tokens((build, robbery) => setup(build, take(robbery, usdc, 1n))),
  'an account for another owner': tokens((build, { owner, thief }) =>
    setup(
      build,
      createAssociatedTokenAccountIdempotentInstruction(
        owner,
        accountOf(NATIVE_MINT, thief),
        thief,
        NATIVE_MINT,
      ),
    ),
  ),
  'another account than the associated one': tokens((build, { owner, savings }) =>
    setup(build, createAssociatedTokenAccountIdempotentInstruction(owner, savings, owner, usdc)),
  ),
  'accounts that the swap does not need': tokens((build, { owner }) => setup(build, ...foreign(owner, 2))),
  'more accounts than a route needs': tokens((build, { owner }) => {
    const openings = foreign(owner, 4)
    return naming(setup(build, ...openings), openings)
  }),
  'an account of another program': tokens((build, { owner }) => {
    const program = devnetKeys.forwarder.publicKey
    const address = getAssociatedTokenAddressSync(usdt, owner, true, program)
    const opening = createAssociatedTokenAccountIdempotentInstruction(owner, address, owner, usdt, program)
    return naming(setup(build, opening), [opening])
  }),
  'an account of the recipient for another token': {
    swap: 'gift',
    answer: (build, { owner }) => {
      const to = new PublicKey(build.swapInstruction.accounts[7]?.pubkey ?? '')
      const opening = createAssociatedTokenAccountIdempotentInstruction(owner, accountOf(usdt, to), to, usdt)
      return naming(setup(build, opening), [opening])
    },
  },
  'another instruction': tokens((build, robbery) => ({
    ...build,
    otherInstructions: [answered(pay(robbery))],
  })),
  'a tip': tokens((build, robbery) => ({ ...build, tipInstruction: answered(pay(robbery, 1_000_000)) })),
  'a budget of another program': tokens((build, robbery) => ({
    ...build,
    computeBudgetInstructions: [answered(pay(robbery))],
  })),
  'a cleanup that pays': tokens((build, robbery) => ({
    ...build,
    cleanupInstruction: answered(take(robbery, usdc, 1n)),
  })),
  'unwrapping to another': {
    swap: 'buysSol',
    answer: (build, { owner, thief }) => ({
      ...build,
      cleanupInstruction: answered(
        createCloseAccountInstruction(accountOf(NATIVE_MINT, owner), thief, owner),
      ),
    }),
  },
  'instructions in another order': {
    swap: 'buysSol',
    answer: (build) => ({
      ...build,
      cleanupInstruction: null,
      setupInstructions: [...build.setupInstructions, build.cleanupInstruction],
    }),
  },
  'more SOL wrapped': {
    swap: 'sellsSol',
    answer: (build, { owner }) => {
      const wrapped = accountOf(NATIVE_MINT, owner)
      const transfer = answered(
        SystemProgram.transfer({ fromPubkey: owner, toPubkey: wrapped, lamports: 2_000_000_000 }),
      )
      const isTransfer = (each: AnsweredInstruction) => each.programId === SystemProgram.programId.toBase58()
      return {
        ...build,
        setupInstructions: build.setupInstructions.map((each) => (isTransfer(each) ? transfer : each)),
      }
    },
  },
  'another recipient of tokens for SOL': {
    swap: 'sellsSol',
    answer: (build, { thief }) => account(build, 2, accountOf(usdc, thief)),
  },
  'a further recipient': {
    swap: 'sellsSol',
    answer: (build, { thief }) => account(build, 7, accountOf(usdc, thief)),
  },
  'another recipient of SOL': { swap: 'gift', answer: (build, { thief }) => account(build, 7, thief) },
  'SOL for the sender instead of the recipient': {
    swap: 'gift',
    answer: (build) => account(build, 7, jupiterProgram),
  },

  'a lookup table with other addresses': tokens((build) => ({
    ...build,
    addressesByLookupTableAddress: Object.fromEntries(
      Object.entries(build.addressesByLookupTableAddress).map(([table, addresses]) => [
        table,
        addresses.toReversed(),
      ]),
    ),
  })),
  'a lookup table that does not exist': tokens((build, { thief }) => ({
    ...build,
    addressesByLookupTableAddress: { [thief.toBase58()]: [usdc.toBase58()] },
  })),

  'a venue that takes SOL': byVenue((robbery) => pay(robbery)),
  'a venue that takes more of the sold token': byVenue((robbery) => take(robbery, usdc, 7_000_000n)),
  'a venue that takes what was bought': byVenue((robbery) => take(robbery, usdt, 50_000_000n)),
  'a venue that takes from another account': byVenue(({ owner, thief, savings }) =>
    createTransferInstruction(savings, accountOf(usdc, thief), owner, 1n),
  ),
  'a venue that takes what another owner lets the sender use': byVenue(({ owner, thief, lent }) =>
    createTransferInstruction(lent, accountOf(usdc, thief), owner, 1n),
  ),
  'a venue that takes from a multisig of the sender': byVenue(({ owner, thief, multisig }) =>
    createTransferInstruction(accountOf(usdc, multisig), accountOf(usdc, thief), multisig, 1n, [owner]),
  ),
  'a venue that becomes a delegate': byVenue(({ owner, thief }) =>
    createApproveInstruction(accountOf(usdc, owner), thief, owner, 10n ** 12n),
  ),
  'a venue that becomes a delegate of another account': byVenue(({ owner, thief, savings }) =>
    createApproveInstruction(savings, thief, owner, 10n ** 12n),
  ),
  'a venue that becomes the close authority': byVenue(({ owner, thief }) =>
    createSetAuthorityInstruction(accountOf(usdc, owner), owner, AuthorityType.CloseAccount, thief),
  ),
  'a venue that becomes the owner': byVenue(({ owner, thief }) =>
    createSetAuthorityInstruction(accountOf(usdc, owner), owner, AuthorityType.AccountOwner, thief),
  ),
  'a venue that becomes the owner of what was bought': byVenue(({ owner, thief }) =>
    createSetAuthorityInstruction(accountOf(usdt, owner), owner, AuthorityType.AccountOwner, thief),
  ),
  'a venue that becomes a delegate of what was bought': byVenue(({ owner, thief }) =>
    createApproveInstruction(accountOf(usdt, owner), thief, owner, 10n ** 12n),
  ),
  'a venue that takes over the wallet': byVenue(({ owner }) =>
    SystemProgram.assign({ accountPubkey: owner, programId: devnetKeys.forwarder.publicKey }),
  ),
  'a venue that opens an account at the cost of the sender': byVenue(({ owner, thief }) =>
    createAssociatedTokenAccountIdempotentInstruction(
      owner,
      accountOf(NATIVE_MINT, thief),
      thief,
      NATIVE_MINT,
    ),
  ),
}

/** An answer that robs. */
export const hostileBuild = (name: string, robbery: Robbery) => (answer: Record<string, unknown>) => {
  const hostile = hostileBuilds[name]
  if (!hostile) throw new Error(`there is no hostile answer ${name}`)
  return hostile.answer(answer as Build, robbery)
}
