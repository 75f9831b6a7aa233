import { ProviderError } from '../../chain.ts'
import { keccak256 } from '../keccak.ts'
import { lengthOf, type RlpWriter } from '../rlp.ts'
import { hashedTrie } from './hashedTrie.ts'
import { trieRoot } from './trieRoot.ts'

/** A node's transaction, with the type of its encoding. */
export interface ConsensusTransaction {
  hash: string
  type: number
  fields: Values
}

type Values = Readonly<Record<string, unknown>>
type Write = (writer: RlpWriter, value: never, values: Values) => void
type Field = readonly [name: string, write: Write]

const number: Write = (writer, text: string) => writer.hexNumber(text)
const bytes: Write = (writer, text: string) => writer.hex(text)
const numberOrNone: Write = (writer, text: string | null | undefined) => writer.hexNumber(text ?? '0x')
const addressOrNone: Write = (writer, text: string | null | undefined) => writer.hex(text ?? '0x')
const flag: Write = (writer, is: boolean | undefined) => writer.hexNumber(is ? '0x1' : '0x')
/** Some nodes answer the parity of a typed transaction only as `v`, others as both. */
const parity: Write = (writer, v: string, { yParity }) => writer.hexNumber((yParity ?? v) as string)
const hashes: Write = (writer, list: readonly string[]) => writeList(writer, list, (each) => writer.hex(each))

const accessList: Write = (
  writer,
  list: readonly { address: string; storageKeys: readonly string[] }[] | null | undefined,
) =>
  writeList(writer, list ?? [], ({ address, storageKeys }) =>
    writeItems(writer, () => {
      writeList(writer, storageKeys, (key) => writer.hex(key))
      writer.hex(address)
    }),
  )

const authorizations: Write = (writer, list: readonly Values[]) =>
  writeList(writer, list, (each) => writeItems(writer, () => writeFields(writer, authorization, each)))

const call: readonly Field[] = [
  ['gas', number],
  ['to', addressOrNone],
  ['value', number],
  ['input', bytes],
]
const point: readonly Field[] = [
  ['r', number],
  ['s', number],
]
const authorization: readonly Field[] = [
  ['chainId', number],
  ['address', bytes],
  ['nonce', number],
  ['yParity', number],
  ...point,
]
const own: readonly Field[] = [
  ['chainId', number],
  ['nonce', number],
]
const priced: readonly Field[] = [
  ...own,
  ['maxPriorityFeePerGas', number],
  ['maxFeePerGas', number],
  ...call,
  ['accessList', accessList],
]
const signature: readonly Field[] = [['v', parity], ...point]

/**
 * The fields of each type in encoding order: EIP-155, 2930, 1559, 4844 and 7702; deposits of OP chains;
 * Arbitrum's internal transaction, the first of each block. Arbitrum's other types and Polygon's state sync
 * are missing: nodes do not answer all of their fields.
 */
const typesOf: ReadonlyMap<number, readonly Field[]> = new Map([
  [0, [['nonce', number], ['gasPrice', number], ...call, ['v', number], ...point]],
  [1, [...own, ['gasPrice', number], ...call, ['accessList', accessList], ...signature]],
  [2, [...priced, ...signature]],
  [3, [...priced, ['maxFeePerBlobGas', number], ['blobVersionedHashes', hashes], ...signature]],
  [4, [...priced, ['authorizationList', authorizations], ...signature]],
  [
    0x7e,
    [
      ['sourceHash', bytes],
      ['from', bytes],
      ['to', addressOrNone],
      ['mint', numberOrNone],
      ['value', number],
      ['gas', number],
      ['isSystemTx', flag],
      ['input', bytes],
    ],
  ],
  [
    0x6a,
    [
      ['chainId', number],
      ['input', bytes],
    ],
  ],
])

/** Carries no value. Its hash does not commit to a value. */
const arbitrumInternal = 0x6a

export const isProvable = (type: number): boolean => typesOf.has(type)

/**
 * The transactions root. The header commits to it: no transaction can be missing, no recipient or value
 * changed. It does not include the sender, which follows from the signature; a deposit names its sender.
 * @param transactions only of provable types
 * @throws on a transaction that cannot be encoded; ProviderError where one does not match its hash
 */
export function transactionsRoot(transactions: readonly ConsensusTransaction[]): string {
  const hashed = hashedTrie(transactions, { room: roomOf, write })
  if (!hashed) return trieRoot(transactions, { room: roomOf, write: writeNamed })
  for (const [index, { hash }] of transactions.entries())
    requireName(hash, hashed.hashes.slice(index * hexLength, (index + 1) * hexLength))
  return hashed.root
}

const hexLength = 64

/**
 * Upper bounds in bytes: a transaction's numbers and signature, an entry of one of its lists, a key of an
 * access list.
 */
const [fixedRoom, entryRoom, keyRoom] = [700, 300, 40]

function roomOf({ fields }: ConsensusTransaction): number {
  const { input, accessList: access, blobVersionedHashes, authorizationList } = fields
  const keys = ((access ?? []) as { storageKeys: unknown }[]).reduce(
    (sum, { storageKeys }) => sum + lengthOf(storageKeys),
    0,
  )
  const entries = lengthOf(access) + lengthOf(blobVersionedHashes) + lengthOf(authorizationList)
  return fixedRoom + lengthOf(input) + entries * entryRoom + keys * keyRoom
}

function write(writer: RlpWriter, { hash, type, fields }: ConsensusTransaction): void {
  if (type === arbitrumInternal && BigInt((fields.value ?? '0x0') as string) !== 0n)
    throw new ProviderError(`transaction ${hash} cannot carry value`)
  const end = writer.at
  writeFields(writer, typesOf.get(type) as readonly Field[], fields)
  writer.listSince(end)
  if (type !== 0) writer.raw(Uint8Array.of(type))
}

function writeNamed(writer: RlpWriter, transaction: ConsensusTransaction): void {
  const end = writer.at
  write(writer, transaction)
  requireName(transaction.hash, Buffer.from(keccak256(writer.since(end))).toString('hex'))
}

/** @param computed in hex, without prefix */
function requireName(hash: string, computed: string): void {
  if (hash !== `0x${computed}`) throw new ProviderError(`transaction ${hash} does not match its hash`)
}

function writeFields(writer: RlpWriter, fields: readonly Field[], values: Values): void {
  for (let i = fields.length - 1; i >= 0; i--) {
    const [name, writeField] = fields[i] as Field
    writeField(writer, values[name] as never, values)
  }
}

function writeItems(writer: RlpWriter, writeAll: () => void): void {
  const end = writer.at
  writeAll()
  writer.listSince(end)
}

const writeList = <T>(writer: RlpWriter, list: readonly T[], writeOne: (each: T) => void): void =>
  writeItems(writer, () => {
    for (let i = list.length - 1; i >= 0; i--) writeOne(list[i] as T)
  })
