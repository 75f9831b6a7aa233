import { firstHeight, type Paying, paymentsAt } from './recordedChain.ts'
import { type SolanaDetails, solanaTransactions, syntheticSolanaAddress } from './solanaTransactions.ts'
import { fill, type Template, templateOf } from './template.ts'

/** Placeholders of an answer; those of the two numbers occur nowhere other than there. */
const placeholders = {
  hash: 'h'.repeat(44),
  parentHash: 'p'.repeat(44),
  parentSlot: '<parentSlot>',
  time: '<blockTime>',
}

const genesisTime = 1_700_000_000
const slotsASecond = 2.5

/** Derives a block hash from its slot. */
export const solanaHashAt = (slot: number): string => syntheticSolanaAddress(-slot)

/** Answers of a node about the chain: the recorded block in each slot, under its own hash. */
export function recordedSolana(): (slot: number, details: SolanaDetails, paying: Paying) => Buffer {
  const templates = new Map<string, Template<keyof typeof placeholders>>()
  return (slot, details, paying) => {
    const payments = details === 'none' ? 0 : paymentsAt(slot, paying)
    const key = `${details} ${payments}`
    const template = templates.get(key) ?? templateOf(placeholders, answerOf(details, payments))
    templates.set(key, template)
    const time = genesisTime + Math.floor((slot - firstHeight) / slotsASecond)
    return fill(placeholders, template, {
      hash: solanaHashAt(slot),
      parentHash: solanaHashAt(slot - 1),
      parentSlot: padded(slot - 1),
      time: padded(time, 11),
    })
  }
}

/** JSON ignores white space: pad a number to the length of its placeholder. */
const padded = (value: number, length = 12) => String(value).padStart(length, ' ')

/** Puts placeholders where numbers depend on the slot. */
const answerOf = (details: SolanaDetails, payments: number): string =>
  JSON.stringify({
    blockHeight: 1,
    blockTime: 'blockTime',
    blockhash: placeholders.hash,
    parentSlot: 'parentSlot',
    previousBlockhash: placeholders.parentHash,
    ...(details === 'none' ? {} : { transactions: solanaTransactions(details, payments, 1) }),
  })
    .replace('"blockTime":"blockTime"', `"blockTime": ${placeholders.time}`)
    .replace('"parentSlot":"parentSlot"', `"parentSlot": ${placeholders.parentSlot}`)
