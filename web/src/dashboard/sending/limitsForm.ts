import { FieldProblem } from '../../ui/FieldProblem.ts'
import { chainLabel, isChain } from '../labels.ts'
import type { SendLimits } from './types.ts'

type AmountLimit = NonNullable<SendLimits['amounts']>[number]

const tokens = ['native', 'usdc', 'usdt'] as const
const none = '-'
const amountForm = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Stands for an empty list: an empty field would remove the limit. */
const nothing = 'nothing'

/** The limits as text, one per line. */
export function writeLimits({ amounts, destinations }: SendLimits): {
  amounts: string
  destinations: string
} {
  return {
    amounts: written(amounts, ({ chain, token, perTransfer, perDay, approvalAbove }) =>
      [chain, token, ...[perTransfer, perDay, approvalAbove].map((each) => each ?? none)].join(' '),
    ),
    destinations: written(
      destinations,
      ({ chain, address, memo, memoType }) =>
        `${chain} ${address}${memo === undefined ? '' : ` ${memoType ?? 'text'} ${memo}`}`,
    ),
  }
}

/** The limits of amounts for a reader, one token a line. */
export function describeAmounts({ amounts }: Pick<SendLimits, 'amounts'>): string {
  return written(amounts, ({ chain, token, perTransfer, perDay, approvalAbove }) => {
    const limits = [
      ...(perTransfer === null ? [] : [`at most ${perTransfer} in one transfer`]),
      ...(perDay === null ? [] : [`at most ${perDay} in 24 hours`]),
      ...(approvalAbove === null ? [] : [`above ${approvalAbove} a second owner approves`]),
    ]
    return `${chainLabel(chain)}, ${token === 'native' ? 'native coin' : token.toUpperCase()}: ${limits.join(', ') || 'not limited'}`
  })
}

function written<T>(list: readonly T[] | null, line: (each: T) => string): string {
  if (list === null) return ''
  return list.length === 0 ? nothing : list.map(line).join('\n')
}

/** Parses them; an empty text is no limit. @throws FieldProblem */
export function readLimits(amounts: string, destinations: string): SendLimits {
  return { amounts: listIn(amounts, amountOf), destinations: listIn(destinations, destinationOf) }
}

function listIn<T>(text: string, read: (line: string, index: number) => T): T[] | null {
  if (text.trim() === nothing) return []
  const lines = linesIn(text)
  return lines.length > 0 ? lines.map(read) : null
}

/** A chain, an address and an optional memo with its type; a memo may contain spaces. */
const destinationForm = /^(\S+)\s+(\S+)(?:\s+(text|id|hash)\s+(.+))?$/

function destinationOf(line: string, index: number): NonNullable<SendLimits['destinations']>[number] {
  const [, chain = '', address = '', memoType, memo] = destinationForm.exec(line) ?? []
  if (!isChain(chain))
    throw new FieldProblem({
      destinations: `Line ${index + 1}: enter a chain and an address, such as ethereum 0x…, or stellar G… id 42 with a memo.`,
    })
  return { chain, address, ...(memo !== undefined && { memo, memoType: memoType as 'text' | 'id' | 'hash' }) }
}

function amountOf(line: string, index: number): AmountLimit {
  const [chain = '', name = '', ...limits] = line.split(/\s+/)
  const token = tokens.find((each) => each === name.toLowerCase())
  const isRight = limits.length === 3 && limits.every((each) => each === none || amountForm.test(each))
  if (!isChain(chain) || !token || !isRight)
    throw new FieldProblem({
      amounts: `Line ${index + 1}: enter a chain, a token, and three amounts or -, such as ethereum usdc 100 1000 250.`,
    })
  const [perTransfer = null, perDay = null, approvalAbove = null] = limits.map((each) =>
    each === none ? null : each,
  )
  return { chain, token, perTransfer, perDay, approvalAbove }
}
