import { describe, expect, test } from '@jest/globals'
import { ACCOUNT_SIZE, AccountLayout, MULTISIG_SIZE, NATIVE_MINT, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { Account } from '../chainState.ts'
import type { State } from './planCalls.ts'
import { proveSwap, wrappedAccount } from './swapProof.ts'

const keyOf = (byte: number) => new PublicKey(new Uint8Array(32).fill(byte))
const [from, other, mint, place] = [1, 2, 3, 4].map((byte) => keyOf(byte).toBase58()) as [
  string,
  string,
  string,
  string,
]
const proof = {
  from,
  to: from,
  sold: { mint, account: null, amount: 1n },
  bought: { mint, account: null, amount: 1n },
  opens: [],
  unwraps: true,
}

/** An account of a program that names an address. */
const naming = (owner: string, named: string, size = 200): Account => {
  const data = Buffer.alloc(size)
  keyOf(named === from ? 1 : 2)
    .toBuffer()
    .copy(data, 36)
  return { owner, lamports: 1n, data } as Account
}
function problemOf(account: Account, isWritable: boolean): string {
  const before: State = new Map([[place, account]])
  try {
    proveSwap(proof, before, isWritable ? before : new Map(), 0n)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('a swap that names another account of the sender is unsafe:', () => {
  test.each([
    ['a nonce', '11111111111111111111111111111111'],
    ['a stake', 'Stake11111111111111111111111111111111111111'],
    ['a vote account', 'Vote111111111111111111111111111111111111111'],
    ['a program', 'BPFLoaderUpgradeab1e11111111111111111111111'],
    ['a lookup table', 'AddressLookupTab1e1111111111111111111111111'],
    ['an account of a token program', TOKEN_PROGRAM_ID.toBase58()],
  ])('%s', (_name, program) => {
    const what = 'The trial run shows another account of the sender'
    expect(problemOf(naming(program, from), true)).toBe(what)
    // Neither what names another address, nor what is only read.
    expect(problemOf(naming(program, other), true)).not.toBe(what)
    expect(problemOf(naming(program, from), false)).not.toBe(what)
  })

  test('a multisig, also one that is only read', () => {
    const multisig = naming(TOKEN_PROGRAM_ID.toBase58(), from, MULTISIG_SIZE)
    expect(problemOf(multisig, false)).toBe('The trial run shows another account of the sender')
  })
})

describe('a swap between tokens that closes the wrapped SOL of its route', () => {
  const [sold, bought] = [5, 6].map((byte) => keyOf(byte).toBase58()) as [string, string]
  const sides = {
    sold: { mint, account: sold, amount: 1n },
    bought: { mint: other, account: bought, amount: 1n },
  }
  const token = (of: string, amount: bigint): Account => {
    const data = Buffer.alloc(ACCOUNT_SIZE)
    const state = { owner: keyOf(1), mint: new PublicKey(of), amount, state: 1, isNative: 0n }
    const none = {
      delegateOption: 0 as const,
      delegate: PublicKey.default,
      delegatedAmount: 0n,
      isNativeOption: 0 as const,
    }
    AccountLayout.encode(
      { ...state, ...none, closeAuthorityOption: 0, closeAuthority: PublicKey.default },
      data,
    )
    return { owner: TOKEN_PROGRAM_ID.toBase58(), lamports: 10n, executable: false, data }
  }
  const wallet = (lamports: bigint): Account => ({
    owner: '11111111111111111111111111111111',
    lamports,
    executable: false,
    data: Buffer.alloc(0),
  })
  const state = (lamports: bigint, has: bigint, gets: bigint): State =>
    new Map([
      [from, wallet(lamports)],
      [sold, token(mint, has)],
      [bought, token(other, gets)],
    ])
  /** Its fee is 5. */
  const prove =
    (lamportsAfter: bigint, unwraps = true) =>
    () =>
      proveSwap({ ...proof, ...sides, unwraps }, state(100n, 9n, 0n), state(lamportsAfter, 8n, 1n), 5n)

  test('may leave the sender more SOL, and takes no SOL', () => {
    expect(prove(95n)()).toBe(0n)
    expect(prove(96n)()).toBe(0n)
    expect(prove(94n)).toThrow('another amount of SOL')
    expect(prove(96n, false)).toThrow('another amount of SOL')
  })

  test('does not leave it open', () => {
    const after = new Map([
      ...state(95n, 8n, 1n),
      [wrappedAccount(from), token(NATIVE_MINT.toBase58(), 0n)] as const,
    ])
    expect(() => proveSwap({ ...proof, ...sides }, state(100n, 9n, 0n), after, 5n)).toThrow(
      'is not unwrapped',
    )
  })

  test('opens an address to which anyone has paid SOL before, and gives that SOL to the sender', () => {
    const wrapped = wrappedAccount(from)
    const paid = (of: State, account: Account | null): State => new Map([...of, [wrapped, account]])
    const prove = (lamportsAfter: bigint, has: Account | null) => () =>
      proveSwap(
        { ...proof, ...sides },
        paid(state(100n, 9n, 0n), wallet(7n)),
        paid(state(lamportsAfter, 8n, 1n), has),
        5n,
      )
    expect(prove(102n, null)()).toBe(0n)
    expect(prove(94n, null)).toThrow('another amount of SOL')
    expect(prove(95n, token(NATIVE_MINT.toBase58(), 0n))).toThrow('is not unwrapped')
  })
})

describe('an account of the sender that a route passes through, and that was there before,', () => {
  const wrapped = wrappedAccount(from)
  const account = (lamports: bigint, amount: bigint, delegate = false): Account => {
    const data = Buffer.alloc(ACCOUNT_SIZE)
    const state = {
      owner: keyOf(1),
      mint: NATIVE_MINT,
      amount,
      state: 1,
      isNative: 2n,
      isNativeOption: 1 as const,
      delegatedAmount: 0n,
    }
    const none = {
      delegateOption: delegate ? (1 as const) : (0 as const),
      delegate: PublicKey.default,
      closeAuthority: PublicKey.default,
    }
    AccountLayout.encode({ ...state, ...none, closeAuthorityOption: 0 }, data)
    return { owner: TOKEN_PROGRAM_ID.toBase58(), lamports, executable: false, data }
  }
  const prove = (has: Account | null) => () => {
    const wallet: Account = {
      owner: '11111111111111111111111111111111',
      lamports: 50n,
      executable: false,
      data: Buffer.alloc(0),
    }
    const side = { mint: NATIVE_MINT.toBase58(), account: place, amount: 0n }
    const opens = [{ address: wrapped, owner: from, mint: NATIVE_MINT.toBase58() }]
    const state = (passed: Account | null): State =>
      new Map([
        [from, wallet],
        [place, account(2n, 0n)],
        [wrapped, passed],
      ])
    return proveSwap(
      { ...proof, sold: side, bought: side, opens, unwraps: false },
      state(account(9n, 7n)),
      state(has),
      0n,
    )
  }

  test('may gain a remainder, and loses nothing', () => {
    expect(prove(account(9n, 7n))()).toBe(0n)
    expect(prove(account(10n, 8n))()).toBe(0n)
    const changed = 'a change of another account of the sender'
    expect(prove(account(8n, 6n))).toThrow(changed)
    expect(prove(account(9n, 6n))).toThrow(changed)
    expect(prove(account(9n, 7n, true))).toThrow(changed)
    expect(prove(null)).toThrow(changed)
  })
})
