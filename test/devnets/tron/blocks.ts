/** Blocks: created, signed, and in java-tron's JSON format. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { utils } from 'tronweb'
import { infoJson, type Outcome, type Transaction } from './execute.ts'
import type { JsonObject } from './json.ts'
import { blockVersion, witnessCount } from './parameters.ts'
import { type BlockHeader, blockIdOf, encodeHeader, encodeTransaction, merkleRoot, sha256 } from './wire.ts'
import type { Changes } from './world.ts'

export interface Block {
  id: string
  header: BlockHeader
  signature: string
  transactions: { tx: Transaction; outcome: Outcome }[]
  /** State entries before this block; null once it is too old to be undone. */
  before: Changes | null
}

/** The Super Representatives take turns. Their keys are publicly known. */
const witnesses = Array.from({ length: witnessCount }, (_, i) => {
  const key = sha256(Buffer.from(`super representative ${i + 1} of the devnet`))
  return {
    key,
    address: utils.address.toHex(utils.address.fromPrivateKey(key.toString('hex')) || '').toLowerCase(),
  }
})

const witnessOf = (turn: number) => witnesses[turn % witnessCount] as (typeof witnesses)[number]
export const witnessAddress = (turn: number): string => witnessOf(turn).address

/** The parent hash of the genesis block: Tron uses the hash of a sentence; any 32 bytes do. */
const genesisParent = sha256(Buffer.from('Cowry devnet')).toString('hex')

/** @param content `turn` selects the block producer; `timestamp` in milliseconds */
export function makeBlock(
  parent: Block | undefined,
  content: { timestamp: number; turn: number; transactions: Block['transactions'] },
): Block {
  const { timestamp, transactions } = content
  const number = parent ? parent.header.number + 1 : 0
  const witness = witnessOf(content.turn)
  const header: BlockHeader = {
    timestamp,
    txTrieRoot: merkleRoot(transactions.map(({ tx, outcome }) => encodeTransaction(tx, outcome.contractRet))),
    parentHash: parent?.id ?? genesisParent,
    number,
    witness_address: witness.address,
    version: blockVersion,
  }
  return {
    id: blockIdOf(header),
    header,
    signature: signHeader(header, witness.key),
    transactions,
    before: [],
  }
}

/** r, s and the recovery id, in a block's format. */
function signHeader(header: BlockHeader, key: Uint8Array): string {
  const [recovery = 0, ...rs] = secp256k1.sign(sha256(encodeHeader(header)), key, {
    prehash: false,
    format: 'recovered',
  })
  return Buffer.from([...rs, recovery]).toString('hex')
}

/** java-tron, Util.printTransactionToJSON. */
export function transactionJson(
  tx: Transaction,
  outcome: Pick<Outcome, 'contractRet' | 'contract_address'> | null,
): JsonObject {
  return {
    ...(outcome ? { ret: [{ contractRet: outcome.contractRet }] } : {}),
    signature: tx.signatures,
    txID: tx.id,
    raw_data: tx.data as unknown as JsonObject,
    raw_data_hex: tx.raw,
    ...(tx.type === 'CreateSmartContract' && outcome?.contract_address
      ? { contract_address: outcome.contract_address }
      : {}),
  }
}

/** java-tron, Util.printBlock. The number of block 0 is omitted, like any zero. */
export function blockJson(block: Block, detail = true): JsonObject {
  const { number, ...header } = block.header
  return {
    blockID: block.id,
    block_header: {
      raw_data: { ...(number === 0 ? {} : { number }), ...header },
      witness_signature: block.signature,
    },
    ...(detail && block.transactions.length > 0
      ? { transactions: block.transactions.map(({ tx, outcome }) => transactionJson(tx, outcome)) }
      : {}),
  }
}

export const infosOf = (block: Block): JsonObject[] =>
  block.transactions.map(({ tx, outcome }) => infoJson(tx.id, outcome, block.header))
