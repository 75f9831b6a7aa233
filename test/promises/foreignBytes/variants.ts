import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { mutatedBytes, type Random } from './mutate.ts'
import { randomMeta } from './randomMeta.ts'
import type { Answers } from './subject.ts'

// Other bytes in a form that passes the checks before them: what a parser of bytes gets.

/** @param truth the answers of an honest node */
export type Variant = (truth: Answers, random: Random) => Answers

type Row = Record<string, unknown>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/**
 * The same answers, with `change` for each object that has the field. The same object is changed in the same
 * way.
 */
function changing(truth: Answers, field: string, change: (row: Row) => Row): Answers {
  const changed = new Map<object, unknown>()
  const walk = (value: unknown): unknown => {
    if (!isRow(value)) return value
    const known = changed.get(value)
    if (known !== undefined) return known
    const inner = Array.isArray(value)
      ? value.map(walk)
      : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)]))
    const made = field in value && !Array.isArray(value) ? change(inner as Row) : inner
    changed.set(value, made)
    return made
  }
  return (method, params) => walk(truth(method, params))
}

/** Each transaction has a random meta. */
export const withRandomMetas: Variant = (truth, random) => {
  const metas = Array.from({ length: 2 }, () => randomMeta(random, 1 + random.below(2)))
  const of = (row: Row) => metas[String(row.txHash ?? row.hash).charCodeAt(0) % metas.length] as string
  return (method, params) => {
    const rpc = changing(truth, 'resultMetaXdr', (row) => ({ ...row, resultMetaXdr: of(row) }))
    return changing(rpc, 'result_meta_xdr', (row) => ({ ...row, result_meta_xdr: of(row) }))(method, params)
  }
}

/** Transactions of Tron have other bytes, with the ids that belong to them. */
export const withOtherTronBytes: Variant = (truth, random) => {
  const ids = new Map<unknown, { id: string; hex: string }>()
  const block = truth('/wallet/getblockbynum', {}) as {
    transactions: { txID: string; raw_data_hex: string }[]
  }
  for (const { txID, raw_data_hex } of block.transactions) {
    if (!random.chance(0.5)) continue
    const bytes = mutatedBytes(Buffer.from(raw_data_hex, 'hex'), random)
    ids.set(txID, {
      id: createHash('sha256').update(bytes).digest('hex'),
      hex: Buffer.from(bytes).toString('hex'),
    })
  }
  const blocks = changing(truth, 'raw_data_hex', (row) => {
    const other = ids.get(row.txID)
    return other ? { ...row, txID: other.id, raw_data_hex: other.hex } : row
  })
  return changing(blocks, 'receipt', (row) => ({ ...row, id: ids.get(row.id)?.id ?? row.id }))
}

const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/** Transactions of Solana in other bytes, of any version, or with memos of any length. */
export const withOtherSolanaBytes: Variant = (truth, random) => {
  const seen = random.below(1000)
  return changing(truth, 'meta', (row) => {
    const { transaction } = row
    if (Array.isArray(transaction)) {
      const bytes = Buffer.from(String(transaction[0]), 'base64')
      if (seen % 3 === 0) {
        // The byte after the signatures holds the version.
        const at = 1 + 64 * (bytes[0] ?? 0)
        bytes[at] = [0x80, 0x81, 0x82, 0xff, 0x01][seen % 5] as number
      }
      return { ...row, transaction: [Buffer.from(mutatedBytes(bytes, random)).toString('base64'), 'base64'] }
    }
    const { message } = transaction as { message?: { accountKeys?: unknown[] } }
    if (!message || !Array.isArray(message.accountKeys)) return row
    const data = random.of([
      base58.encode(Buffer.alloc(random.below(60), 0xff)),
      'z'.repeat(4000),
      'z'.repeat(20_000),
      '0OIl',
      '',
    ])
    const accountKeys = [...message.accountKeys.slice(0, -1), memoProgram]
    const instructions = [{ programIdIndex: accountKeys.length - 1, accounts: [], data }]
    return {
      ...row,
      transaction: { ...(transaction as object), message: { ...message, accountKeys, instructions } },
    }
  })
}
