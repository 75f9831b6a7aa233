import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import {
  AddressLookupTableAccount,
  Keypair,
  type MessageV0,
  PublicKey,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { Secret } from '../../../platform/secrets.ts'
import type { CallAccount, CallsSpec } from '../../action.ts'
import type { Terms } from '../../sending.ts'
import type { Account } from '../chainState.ts'
import { tableAddresses } from './lookupTable.ts'
import { readTables, type TableUse, tableUses, writeTables } from './tableUses.ts'
import { feeFor, type SolanaTerms, writeTerms } from './terms.ts'
import { solanaTransferBuilder } from './transferBuilder.ts'

const builder = solanaTransferBuilder()
const keyOf = (byte: number, second = 0) =>
  new PublicKey(new Uint8Array(32).fill(byte).fill(second, 31)).toBase58()
const payer = Keypair.fromSeed(new Uint8Array(32).fill(1))
const key = new Secret(base58.encode(payer.secretKey))
const program = keyOf(9)
const tables = new Map([
  [keyOf(20), Array.from({ length: 200 }, (_, i) => keyOf(30, i))],
  [keyOf(21), [program, ...Array.from({ length: 60 }, (_, i) => keyOf(31, i)), payer.publicKey.toBase58()]],
])

const callsOf = (accounts: readonly CallAccount[]): CallsSpec => ({
  kind: 'calls',
  from: payer.publicKey.toBase58(),
  calls: [{ to: program, data: 'AQID', value: 0n, accounts }],
  cosigners: [],
  spends: [],
  receives: [],
  gasPrice: null,
  gasLimit: null,
})
const termsOf = (lookupTables: TableUse[] | null): Terms => {
  const terms: SolanaTerms = {
    blockhash: keyOf(7),
    lastValidBlockHeight: 500n,
    computeUnits: 300_000,
    microLamports: 2500n,
    tokenProgram: null,
    decimals: null,
    opensAccount: false,
    sources: null,
    lookupTables,
    signatures: 1,
    rent: 0n,
    fee: feeFor(300_000, 2500n),
  }
  return writeTerms(terms)
}
const usesOf = ({ calls }: CallsSpec) =>
  tableUses(
    tables,
    calls.flatMap(({ accounts }) => accounts.map(({ address }) => address)),
  )
const whole = [...tables].map(
  ([table, addresses]) =>
    new AddressLookupTableAccount({
      key: new PublicKey(table),
      state: {
        deactivationSlot: 0n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: addresses.map((each) => new PublicKey(each)),
      },
    }),
)
/** As a node reads it: places in the whole tables. */
function accountsOf(bytes: Uint8Array): CallAccount[] {
  const message = VersionedTransaction.deserialize(bytes).message as MessageV0
  const keys = message.getAccountKeys({ addressLookupTableAccounts: whole })
  const indexes = message.compiledInstructions.at(-1)?.accountKeyIndexes ?? []
  return indexes.map((i) => ({
    address: keys.get(i)?.toBase58() ?? '',
    signer: message.isAccountSigner(i),
    writable: message.isAccountWritable(i),
  }))
}

const anyTabled = fc.constantFrom(...[...tables.values()].flat())
const anyAccount = fc.record({
  address: fc.oneof(
    anyTabled,
    fc.integer({ min: 40, max: 60 }).map((byte) => keyOf(byte)),
  ),
  signer: fc.constant(false),
  writable: fc.boolean(),
})

describe('a version 0 transaction', () => {
  test('has the accounts of its calls, read through the whole tables', () => {
    const anyAccounts = fc.uniqueArray(anyAccount, { maxLength: 20, selector: ({ address }) => address })
    fc.assert(
      fc.property(anyAccounts, (accounts) => {
        const others = accounts.filter(
          ({ address }) => address !== payer.publicKey.toBase58() && address !== program,
        )
        const action = callsOf(others)
        const { bytes, txId } = builder.sign(action, termsOf(usesOf(action)), null, [key])
        expect(accountsOf(bytes)).toEqual(others)
        expect(base58.encode(bytes.subarray(1, 65))).toBe(txId)
      }),
      { numRuns: 100 },
    )
  })

  test('carries more accounts than a legacy one, which is refused', () => {
    const action = callsOf(
      (tables.get(keyOf(20)) ?? [])
        .slice(0, 50)
        .map((address) => ({ address, signer: false, writable: true })),
    )
    expect(() => builder.sign(action, termsOf(null), null, [key])).toThrow(
      /takes \d+ bytes, and the chain carries 1232/,
    )
    expect(builder.sign(action, termsOf(usesOf(action)), null, [key]).bytes.length).toBeLessThan(500)
  })

  test('that does not fit into a packet is refused, also where the library cannot write it', () => {
    for (const count of [33, 60]) {
      const action = callsOf(
        Array.from({ length: count }, (_, i) => ({ address: keyOf(50, i), signer: false, writable: true })),
      )
      expect(() => builder.unsigned(action, termsOf([]), null)).toThrow(/bytes, and the chain carries 1232/)
    }
  })

  test('has no second signer', () => {
    const action = callsOf([{ address: keyOf(30, 1), signer: true, writable: true }])
    expect(() => builder.unsigned(action, termsOf(usesOf(action)), null)).toThrow(/need a signature of/)
  })
})

describe('lookup tables in terms', () => {
  test('are read as they were written', () => {
    const uses = usesOf(
      callsOf(
        [keyOf(30, 5), keyOf(31, 2), keyOf(31, 7)].map((address) => ({
          address,
          signer: false,
          writable: false,
        })),
      ),
    )
    expect(uses.map(({ entries }) => entries.map(({ index }) => index))).toEqual([[5], [3, 8]])
    expect(readTables(writeTables(uses))).toEqual(uses)
    expect([readTables(null), readTables(undefined), readTables('')]).toEqual([null, null, []])
  })

  test.each([
    ['a place beyond a table', `${keyOf(20)} 256=${keyOf(30)}`],
    ['no accounts', keyOf(20)],
    ['an account twice', `${keyOf(20)} 1=${keyOf(30)} 2=${keyOf(30)}`],
    ['a table twice', `${keyOf(20)} 1=${keyOf(30)},${keyOf(20)} 2=${keyOf(31)}`],
    ['a word', 'x'],
  ])('with %s are refused', (_name, text) => {
    expect(() => readTables(text)).toThrow(/the terms/)
  })
})

describe('the state of a lookup table', () => {
  const stateOf = (
    more: { kind?: number; deactivated?: bigint; data?: Buffer; owner?: string } = {},
  ): Account => {
    const head = Buffer.alloc(56)
    head.writeUInt32LE(more.kind ?? 1, 0)
    head.writeBigUInt64LE(more.deactivated ?? 2n ** 64n - 1n, 4)
    const data =
      more.data ??
      Buffer.concat([head, Buffer.from(base58.decode(keyOf(30))), Buffer.from(base58.decode(keyOf(31)))])
    return {
      owner: more.owner ?? 'AddressLookupTab1e1111111111111111111111111',
      lamports: 1n,
      executable: false,
      data,
    }
  }

  test('has its addresses in their order', () => {
    expect(tableAddresses(stateOf())).toEqual([keyOf(30), keyOf(31)])
  })

  test.each([
    ['a deactivated one', stateOf({ deactivated: 5n })],
    ['one of another program', stateOf({ owner: program })],
    ['one that is not initialised', stateOf({ kind: 0 })],
    ['a cut one', stateOf({ data: Buffer.alloc(57) })],
    ['a short one', stateOf({ data: Buffer.alloc(20) })],
    ['none', null],
  ])('%s has no addresses', (_name, account) => {
    expect(tableAddresses(account)).toBeNull()
  })
})

test('terms name their tables', () => {
  expect(builder.tables?.(termsOf(null))).toEqual([])
  expect(
    builder.tables?.(termsOf([{ table: keyOf(20), entries: [{ index: 3, address: keyOf(30, 3) }] }])),
  ).toEqual([keyOf(20)])
})

test('a transaction names at most 64 accounts, also by lookup tables', () => {
  const [entries = []] = tables.values()
  // The payer, the program called, and the compute budget are named, too.
  const naming = (count: number) => {
    const calls = callsOf(
      entries.slice(0, count - 3).map((address) => ({ address, signer: false, writable: false })),
    )
    return () => builder.sign(calls, termsOf(usesOf(calls)), null, [key])
  }
  expect(naming(64)).not.toThrow()
  expect(naming(65)).toThrow('names 65 accounts, and the chain locks 64')
})
