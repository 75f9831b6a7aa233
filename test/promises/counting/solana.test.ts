import { describe, expect, test } from '@jest/globals'
import * as spl from '@solana/spl-token'
import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { tokenAccountRent } from './solana/books.ts'
import { countGains, countLosses, type Gain } from './solana/countGains.ts'
import { type RawTransaction, rawTransactions } from './solana/rawSolana.ts'

// Checks the count that Solana's reader is compared with, by made-up transactions with one case each.

const newKey = () => Keypair.generate().publicKey
const [alice, bob, mint, fromAccount, toAccount] = [newKey(), newKey(), newKey(), newKey(), newKey()] as const
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

describe('tokens', () => {
  test.each([
    ['Transfer', spl.createTransferInstruction(fromAccount, toAccount, alice, 7n)],
    ['TransferChecked', spl.createTransferCheckedInstruction(fromAccount, mint, toAccount, alice, 7n, 6)],
    ['MintTo', spl.createMintToInstruction(mint, toAccount, alice, 7n)],
    ['MintToChecked', spl.createMintToCheckedInstruction(mint, toAccount, alice, 7n, 6)],
  ])('%s credits the owner of the account', (_, instruction) => {
    expect(countGains(made([instruction], holding))).toEqual([gain(bob, 7n)])
    expect(countGains(made([instruction], { ...holding, failed: true }))).toEqual([])
  })

  test("Token-2022's fee is not part of the gain", () => {
    const transfer = spl.createTransferCheckedWithFeeInstruction(
      fromAccount,
      mint,
      toAccount,
      alice,
      100n,
      6,
      3n,
    )
    expect(countGains(made([transfer], holding))).toEqual([gain(bob, 97n)])
  })

  test("tokens sent back, burnt, or moved between one owner's accounts are not a gain", () => {
    const there = spl.createTransferInstruction(fromAccount, toAccount, alice, 7n)
    const back = spl.createTransferInstruction(toAccount, fromAccount, bob, 7n)
    expect(countGains(made([there, back], holding))).toEqual([])
    expect(countGains(made([there, spl.createBurnInstruction(toAccount, mint, bob, 6n)], holding))).toEqual([
      gain(bob, 1n),
    ])
    const own = {
      tokens: [
        [fromAccount, alice, 100n],
        [toAccount, alice, 0n],
      ],
    } as const
    expect(countGains(made([there], own))).toEqual([])
  })

  test('a new owner of an account gains its tokens', () => {
    const instruction = spl.createSetAuthorityInstruction(
      fromAccount,
      alice,
      spl.AuthorityType.AccountOwner,
      bob,
    )
    expect(countGains(made([instruction], holding))).toEqual([gain(bob, 100n)])
    const other = spl.createSetAuthorityInstruction(fromAccount, alice, spl.AuthorityType.CloseAccount, bob)
    expect(countGains(made([other], holding))).toEqual([])
  })

  test('an instruction that does not state its amount is not skipped', () => {
    const instruction = spl.createWithdrawWithheldTokensFromMintInstruction(mint, toAccount, alice)
    expect(() => countGains(made([instruction], holding))).toThrow(/does not state/)
  })
})

describe('lamports', () => {
  test('a transfer credits them, also to the fee payer: the fee is neither an instruction nor a transfer', () => {
    const instruction = SystemProgram.transfer({ fromPubkey: alice, toPubkey: bob, lamports: 9n })
    expect(countGains(made([instruction]))).toEqual([gain(bob, 9n, null)])
    expect(countLosses(made([instruction]))).toEqual([gain(alice, 9n, null)])
    const back = SystemProgram.transfer({ fromPubkey: bob, toPubkey: alice, lamports: 9n })
    expect(countGains(made([back]))).toEqual([gain(alice, 9n, null)])
    expect(countLosses(made([back], { failed: true }))).toEqual([])
  })

  test('a new account gains the lamports it was opened with, and closing it credits them to the destination', () => {
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

describe('wrapped SOL', () => {
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

  test('a transfer of it also transfers the lamports', () => {
    const instruction = spl.createTransferInstruction(fromAccount, toAccount, alice, 7n)
    expect(countGains(made([instruction], wrapped))).toEqual([
      gain(bob, 7n, spl.NATIVE_MINT),
      gain(toAccount, 7n, null),
    ])
  })

  test('lamports become wrapped SOL only when synced', () => {
    const pay = SystemProgram.transfer({ fromPubkey: alice, toPubkey: toAccount, lamports: 9n })
    expect(countGains(made([pay], wrapped))).toEqual([gain(toAccount, 9n, null)])
    const synced = countGains(made([pay, spl.createSyncNativeInstruction(toAccount)], wrapped))
    expect(synced).toEqual([gain(bob, 9n, spl.NATIVE_MINT), gain(toAccount, 9n, null)])
  })

  test('a closed account transfers all its lamports', () => {
    const close = spl.createCloseAccountInstruction(fromAccount, bob, alice)
    expect(countGains(made([close], wrapped))).toEqual([gain(bob, tokenAccountRent + 100n, null)])
  })
})

describe('a recorded block', () => {
  test("has the recorder's counts: 602 transactions, of which 305 failed", () => {
    const transactions = rawTransactions('block-254170887.json')
    expect([transactions.length, transactions.filter(({ failed }) => failed).length]).toEqual([602, 305])
  })
})
