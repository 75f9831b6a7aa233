import { FieldProblem } from '../../ui/FieldProblem.ts'
import { isChain } from '../words.ts'
import type { SendLimits } from './types.ts'

type AmountLimit = NonNullable<SendLimits['amounts']>[number]

const tokens = ['native', 'usdc', 'usdt'] as const
const none = '-'
const amountForm = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/

const linesIn = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/))

/** Written where there is a list with nothing in it: an empty field would take the limit away. */
const nothing = 'nothing'

/** The limits as they are written, one a line. */
export function writeLimits({ amounts, destinations }: SendLimits): { amounts: string; destinations: string } {
  return {
    amounts: written(amounts, ({ chain, token, perTransfer, perDay, approvalAbove }) =>
      [chain, token, ...[perTransfer, perDay, approvalAbove].map((each) => each ?? none)].join(' '),
    ),
    destinations: written(destinations, ({ chain, address }) => `${chain} ${address}`),
  }
}

function written<T>(list: readonly T[] | null, line: (each: T) => string): string {
  if (list === null) return ''
  return list.length === 0 ? nothing : list.map(line).join('\n')
}

/** Reads them; where nothing is written, there is no limit. @throws FieldProblem */
export function readLimits(amounts: string, destinations: string): SendLimits {
  return { amounts: listIn(amounts, amountOf), destinations: listIn(destinations, destinationOf) }
}

function listIn<T>(text: string, read: (words: string[], index: number) => T): T[] | null {
  if (text.trim() === nothing) return []
  const lines = linesIn(text)
  return lines.length > 0 ? lines.map(read) : null
}

function destinationOf([chain = '', address = '', ...more]: string[], index: number): NonNullable<SendLimits['destinations']>[number] {
  if (!isChain(chain) || address === '' || more.length > 0)
    throw new FieldProblem({ destinations: `Line ${index + 1}: write a chain and an address, such as ethereum 0x….` })
  return { chain, address }
}

function amountOf([chain = '', name = '', ...limits]: string[], index: number): AmountLimit {
  const token = tokens.find((each) => each === name.toLowerCase())
  const isRight = limits.length === 3 && limits.every((each) => each === none || amountForm.test(each))
  if (!isChain(chain) || !token || !isRight)
    throw new FieldProblem({
      amounts: `Line ${index + 1}: write chain, token, and three amounts or -, such as ethereum usdc 100 1000 250.`,
    })
  const [perTransfer = null, perDay = null, approvalAbove = null] = limits.map((each) => (each === none ? null : each))
  return { chain, token, perTransfer, perDay, approvalAbove }
}
