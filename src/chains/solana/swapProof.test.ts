import { describe, expect, test } from '@jest/globals'
import { MULTISIG_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { Account } from './chainState.ts'
import type { State } from './planCalls.ts'
import { proveSwap } from './swapProof.ts'

const keyOf = (byte: number) => new PublicKey(new Uint8Array(32).fill(byte))
const [from, other, mint, place] = [1, 2, 3, 4].map((byte) => keyOf(byte).toBase58()) as [string, string, string, string]
const proof = { from, to: from, sold: { mint, account: null, amount: 1n }, bought: { mint, account: null, amount: 1n }, opens: [], unwraps: true }

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
