import type { Block, BlockHeader } from '../../src/chains/chain.ts'
import { headerOf } from '../../src/chains/solana/read/header.ts'
import { lightBlock } from '../../src/chains/solana/read/lightBlock.ts'
import { accountKeys, messageOf, touchedAddresses } from '../../src/chains/solana/read/movements.ts'
import { scanBlock } from '../../src/chains/solana/read/scanBlock.ts'
import type { RpcLightBlock, RpcTransaction } from '../../src/chains/solana/rpcTypes.ts'
import { storable } from '../../src/chains/storable.ts'
import { answerSlot } from './lightAnswers.ts'

type LightTransaction = NonNullable<RpcLightBlock['transactions']>[number]
type Reading = { header: BlockHeader; unread: Block['unread'] } | { refused: string }

const utf8 = new TextDecoder()

function reading(read: () => Reading): Reading {
  try {
    return read()
  } catch (error) {
    return { refused: (error as Error).message }
  }
}

/** Of an answer with transactions in which form. */
export type Form = 'accounts' | 'full'

/**
 * An answer as its bytes are read, null where they are not understood, and as the reader of JavaScript reads
 * it after `JSON.parse`.
 */
export function bothReadings(
  answer: string | Uint8Array,
  id: number,
  form: Form = 'accounts',
): { scanned: Reading | null; byParsing: Reading } {
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer
  const scanned = scanBlock([bytes], id, form === 'full')
  return {
    scanned:
      scanned &&
      reading(() => {
        const header = headerOf(scanned, answerSlot)
        return { header, unread: lightBlock(header, scanned.touched, 'a').unread }
      }),
    byParsing: reading(() => byParsing(utf8.decode(bytes), id, form)),
  }
}

/** A transaction with accounts alone: those of its message, then those of lookup tables. */
const lightOf = ({ transaction, meta }: RpcTransaction): LightTransaction => {
  if (!meta) throw new Error('a transaction without its outcome')
  return {
    transaction: {
      accountKeys: accountKeys(messageOf(transaction), meta).map((pubkey) => ({ pubkey })),
      signatures: [],
    },
    meta,
  }
}

function byParsing(text: string, id: number, form: Form): Reading {
  const answer = JSON.parse(text) as { id?: unknown; error?: unknown; result?: RpcLightBlock | null }
  if (answer.error) throw new Error('an error')
  if (answer.id !== id) throw new Error('an answer to another request')
  if (!answer.result?.transactions) throw new Error('no block')
  const header = headerOf(answer.result, answerSlot)
  const { transactions } = answer.result
  const light = form === 'full' ? (transactions as unknown as RpcTransaction[]).map(lightOf) : transactions
  return { header, unread: storable({ transfers: [], unread: touchedAddresses(light) }).unread }
}
