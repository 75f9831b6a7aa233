import { describe, expect, test } from '@jest/globals'
import * as spl from '@solana/spl-token'
import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { tokenAccountRent } from './solana/books.ts'
import { countGains, countLosses, type Gain } from './solana/countGains.ts'
import { type RawTransaction, rawTransactions } from './solana/rawSolana.ts'

// The count that the reader of Solana is measured by is itself measured here, by transactions that are made up to hold each case once.

const someone = () => Keypair.generate().publicKey
const [alice, bob, mint, fromAccount, toAccount] = [someone(), someone(), someone(), someone(), someone()] as const
const id = 'made'

interface Made {
  lamports?: readonly (readonly [PublicKey, bigint])[]
  tokens?: readonly (readonly [account: PublicKey, owner: PublicKey, amount: bigint, mint?: PublicKey])[]
  failed?: boolean
}

const made = (
  instructions: TransactionInstruction[],
  { lamports = [[alice, 10n ** 10n]], tokens = [], failed = false }: Made = {},
): RawTransaction => ({
  id,
  failed,
  instructions,
  lamportsBefore: new Map(lamports.map(([account, amount]) => [account.toBase58(), amount])),
  tokensBefore: tokens.map(([account, owner, amount, of = mint]) => ({
    account: account.toBase58(),
    owner: owner.toBase58(),
    mint: of.toBase58(),
    amount,
  })),
})

const gain = (owner: PublicKey, amount: bigint, of: PublicKey | null = mint): Gain => ({
  txId: id,
  owner: owner.toBase58(),
  mint: of?.toBase58() ?? null,
  amount,
})

const holding = {
  tokens: [
    [fromAccount, alice, 100n],
    [toAccount, bob, 0n],
  ],
} as const

describe('of tokens', () => {
  test.each([
    ['Transfer', spl.createTransferInstruction(fromAccount, toAccount, alice, 7n)],
    ['TransferChecked', spl.createTransferCheckedInstruction(fromAccount, mint, toAccount, alice, 7n, 6)],
    ['MintTo', spl.createMintToInstruction(mint, toAccount, alice, 7n)],
    ['MintToChecked', spl.createMintToCheckedInstruction(mint, toAccount, alice, 7n, 6)],
  ])('%s brings them to the owner of the account', (_, instruction) => {
    expect(countGains(made([instruction], holding))).toEqual([gain(bob, 7n)])
    expect(countGains(made([instruction], { ...holding, failed: true }))).toEqual([])
  })

  test("Token-2022's fee stays out of what is brought", () => {
    const transfer = spl.createTransferCheckedWithFeeInstruction(fromAccount, mint, toAccount, alice, 100n, 6, 3n)
    expect(countGains(made([transfer], holding))).toEqual([gain(bob, 97n)])
  })

  test('what came and went, was burnt, or moved between accounts of one owner is no gain', () => {
    const there = spl.createTransferInstruction(fromAccount, toAccount, alice, 7n)
    const back = spl.createTransferInstruction(toAccount, fromAccount, bob, 7n)
    expect(countGains(made([there, back], holding))).toEqual([])
    expect(countGains(made([there, spl.createBurnInstruction(toAccount, mint, bob, 6n)], holding))).toEqual([gain(bob, 1n)])
    const own = {
      tokens: [
        [fromAccount, alice, 100n],
        [toAccount, alice, 0n],
      ],
    } as const
    expect(countGains(made([there], own))).toEqual([])
  })

  test('an account that is given away takes its tokens along', () => {
    const instruction = spl.createSetAuthorityInstruction(fromAccount, alice, spl.AuthorityType.AccountOwner, bob)
    expect(countGains(made([instruction], holding))).toEqual([gain(bob, 100n)])
    const other = spl.createSetAuthorityInstruction(fromAccount, alice, spl.AuthorityType.CloseAccount, bob)
    expect(countGains(made([other], holding))).toEqual([])
  })

  test('an instruction that does not tell what it moved is not passed over', () => {
    const instruction = spl.createWithdrawWithheldTokensFromMintInstruction(mint, toAccount, alice)
    expect(() => countGains(made([instruction], holding))).toThrow(/not told/)
  })
})

describe('of lamports', () => {
  test('a transfer brings them, to an account that pays the fee as well: no instruction takes the fee, and it is no movement', () => {
    const instruction = SystemProgram.transfer({ fromPubkey: alice, toPubkey: bob, lamports: 9n })
    expect(countGains(made([instruction]))).toEqual([gain(bob, 9n, null)])
    expect(countLosses(made([instruction]))).toEqual([gain(alice, 9n, null)])
    const back = SystemProgram.transfer({ fromPubkey: bob, toPubkey: alice, lamports: 9n })
    expect(countGains(made([back]))).toEqual([gain(alice, 9n, null)])
    expect(countLosses(made([back], { failed: true }))).toEqual([])
  })

  test('a new account has what it was opened with, and whoever closes it gets that', () => {
    const open = SystemProgram.createAccount({
      fromPubkey: alice,
      newAccountPubkey: toAccount,
      lamports: Number(tokenAccountRent),
      space: spl.ACCOUNT_SIZE,
      programId: spl.TOKEN_PROGRAM_ID,
    })
    const initialise = spl.createInitializeAccount3Instruction(toAccount, mint, bob)
    expect(countGains(made([open, initialise]))).toEqual([gain(toAccount, tokenAccountRent, null)])
    const close = spl.createCloseAccountInstruction(toAccount, bob, bob)
    expect(countGains(made([open, initialise, close]))).toEqual([gain(bob, tokenAccountRent, null)])
  })
})

describe('of wrapped SOL', () => {
  const wrapped: Made = {
    lamports: [
      [alice, 10n ** 10n],
      [fromAccount, tokenAccountRent + 100n],
      [toAccount, tokenAccountRent],
    ],
    tokens: [
      [fromAccount, alice, 100n, spl.NATIVE_MINT],
      [toAccount, bob, 0n, spl.NATIVE_MINT],
    ],
  }

  test('a transfer of it brings the same lamports', () => {
    const instruction = spl.createTransferInstruction(fromAccount, toAccount, alice, 7n)
    expect(countGains(made([instruction], wrapped))).toEqual([gain(bob, 7n, spl.NATIVE_MINT), gain(toAccount, 7n, null)])
  })

  test('lamports become it when they are synced, and not before', () => {
    const pay = SystemProgram.transfer({ fromPubkey: alice, toPubkey: toAccount, lamports: 9n })
    expect(countGains(made([pay], wrapped))).toEqual([gain(toAccount, 9n, null)])
    const synced = countGains(made([pay, spl.createSyncNativeInstruction(toAccount)], wrapped))
    expect(synced).toEqual([gain(bob, 9n, spl.NATIVE_MINT), gain(toAccount, 9n, null)])
  })

  test('an account that is closed gives all its lamports', () => {
    const close = spl.createCloseAccountInstruction(fromAccount, bob, alice)
    expect(countGains(made([close], wrapped))).toEqual([gain(bob, tokenAccountRent + 100n, null)])
  })
})

describe('a recorded block', () => {
  test('holds what the recorder tells of it: 602 transactions, of which 305 failed', () => {
    const transactions = rawTransactions('block-254170887.json')
    expect([transactions.length, transactions.filter(({ failed }) => failed).length]).toEqual([602, 305])
  })
})
