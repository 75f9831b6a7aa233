import type { DashboardBodyOf } from '../../../../../client/index.ts'
import { isChain, isToken } from '../../labels.ts'
import { decimalForm } from '../payoutForm.ts'
import { parseCsv } from './parseCsv.ts'

export type NewBatch = DashboardBodyOf<'createPayoutBatchOfBusiness'>
export type BatchedPayout = NewBatch['payouts'][number]

/** An entry, and the line of the file that it is from. */
export interface Entry {
  line: number
  payout: BatchedPayout
}

export interface LineMistake {
  /** Null: of the whole file. */
  line: number | null
  column: string | null
  message: string
}

/** As many as the API takes at once. */
export const maxEntries = 1000

/** The columns of a file, each with what it holds. */
export const columns = {
  amount: 'What is taken from your balance, fee included, such as 100 or 12.50.',
  chain: 'Of the balance, such as base.',
  token: 'Of the balance, such as USDC.',
  destination_id: 'The id of a saved destination. Or fill in a bank account, or a wallet:',
  network_id: 'The id of the bank.',
  account_number: 'Of the bank account.',
  account_name: 'Its holder.',
  currency: 'Only for a bank that takes several.',
  to_chain: 'The network of the wallet.',
  address: 'Of the wallet.',
  memo: 'Only on Stellar.',
  memo_type: 'Only on Stellar: text, id or hash.',
  reference: 'Your own id of the payout. May stay empty.',
} as const
type Column = keyof typeof columns

const needed: readonly Column[] = ['amount', 'chain', 'token']
const isColumn = (text: string): text is Column => Object.hasOwn(columns, text)

/** A file to fill in, with an example of each kind. */
export const template = [
  Object.keys(columns).join(','),
  '100,base,USDC,<id of a saved destination>,,,,,,,,,wages-2026-11-ada',
  '80.50,base,USDC,,,,,,base,<address>,,,wages-2026-11-ben',
  '',
].join('\r\n')

/** Reads a file. What is wrong is named by line and column, and nothing is guessed. */
export function readBatchCsv(text: string): { entries: Entry[]; mistakes: LineMistake[] } {
  const ofFile = (message: string) => ({ entries: [], mistakes: [{ line: null, column: null, message }] })
  try {
    const [heads, ...lines] = parseCsv(text)
    if (!heads) return ofFile('The file is empty.')
    const names = heads.cells.map((each) => each.toLowerCase().replaceAll(' ', '_'))
    const problem = problemOfHeads(names)
    if (problem !== null) return ofFile(problem)
    if (lines.length === 0) return ofFile('The file has no line below its heads.')
    if (lines.length > maxEntries)
      return ofFile(`The file has ${lines.length} payouts. At most ${maxEntries} are sent at once.`)
    const read = lines.map(({ line, cells }) => readLine(line, names, cells))
    return {
      entries: read.flatMap(({ entry }) => (entry ? [entry] : [])),
      mistakes: read.flatMap(({ mistakes }) => mistakes),
    }
  } catch (error) {
    return ofFile((error as Error).message)
  }
}

function problemOfHeads(names: readonly string[]): string | null {
  const missing = needed.filter((name) => !names.includes(name))
  if (missing.length > 0)
    return `The first line names the columns, and lacks ${missing.join(', ')}. Start from the template.`
  const unknown = names.filter((name) => name !== '' && !isColumn(name))
  if (unknown.length > 0) return `There is no column ${unknown.join(', ')}. Take it out, or correct its name.`
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  return twice === undefined ? null : `The column ${twice} is there twice.`
}

function readLine(
  line: number,
  names: readonly string[],
  cells: readonly string[],
): { entry: Entry | null; mistakes: LineMistake[] } {
  const mistakes: LineMistake[] = []
  const wrong = (column: Column | null, message: string) => void mistakes.push({ line, column, message })
  const of = (column: Column): string => {
    const at = names.indexOf(column)
    return at === -1 ? '' : (cells[at] ?? '')
  }
  if (cells.length > names.length)
    wrong(null, 'Has more cells than there are columns. A decimal comma divides a cell: write a point.')
  for (const column of Object.keys(columns) as Column[]) {
    const problem = shortened.test(of(column)) && column !== 'reference' ? excelNumber : null
    if (problem) wrong(column, problem)
  }
  const [amount, chain, token] = [of('amount'), of('chain').toLowerCase(), of('token').toUpperCase()]
  if (!decimalForm.test(amount) && !shortened.test(amount)) wrong('amount', problemOfAmount(amount))
  if (!isChain(chain)) wrong('chain', chain === '' ? 'Fill this in.' : 'Is no network of Cowry.')
  if (!isToken(token)) wrong('token', token === '' ? 'Fill this in.' : 'Is no token of Cowry.')
  const given = Object.fromEntries(
    Object.entries(fields).flatMap(([column, field]) => {
      const value = of(column as Column)
      return value === '' ? [] : [[field, value]]
    }),
  )
  if (Object.keys(given).length === 0)
    wrong('destination_id', 'Give the id of a saved destination, a bank account, or a wallet.')
  if (mistakes.length > 0 || !isChain(chain) || !isToken(token)) return { entry: null, mistakes }
  const reference = of('reference')
  const destination = given as BatchedPayout['destination']
  const payout = { amount, source: { chain, token }, destination, ...(reference !== '' && { reference }) }
  return { entry: { line, payout }, mistakes }
}

/** The fields of a destination, by their columns. */
const fields = {
  destination_id: 'id',
  network_id: 'networkId',
  account_number: 'accountNumber',
  account_name: 'accountName',
  currency: 'currency',
  to_chain: 'chain',
  address: 'address',
  memo: 'memo',
  memo_type: 'memoType',
} as const satisfies Partial<Record<Column, string>>

/** A long number as spreadsheets show it. */
const shortened = /^\d([.,]\d+)?E\+\d+$/i
const excelNumber =
  'Was shortened by a spreadsheet, and digits are lost: format the column as text, and enter it again.'

function problemOfAmount(amount: string): string {
  if (amount === '') return 'Fill this in.'
  const withPoint = amount.replace(',', '.')
  if (/^\d+,\d+$/.test(amount))
    return `May mean ${amount.replace(',', '')} or ${withPoint}: write it with a point, and without a comma.`
  if (/^[\d.,' \u00a0\u202f]+$/.test(amount))
    return 'Has separators of thousands, or more than one point: write 1234.50.'
  return 'Is no amount, such as 25 or 12.50: without a currency, a sign or spaces.'
}

const columnOf: Readonly<Record<string, Column>> = {
  'source.chain': 'chain',
  'source.token': 'token',
  ...Object.fromEntries(Object.entries(fields).map(([column, field]) => [`destination.${field}`, column])),
}

/** The mistakes of the API's answer by the lines of the file. */
export function mistakesOf(
  wrong: readonly { field: string; message: string }[],
  entries: readonly Entry[],
): LineMistake[] {
  return wrong.map(({ field, message }) => {
    const [, at, name = ''] = /^payouts\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    const named = message.replaceAll(/payouts\.(\d+)/g, (text, other: string) =>
      entries[Number(other)] ? `line ${entries[Number(other)]?.line}` : text,
    )
    return {
      line: at === undefined ? null : (entries[Number(at)]?.line ?? null),
      column: columnOf[name] ?? (name === '' ? null : name),
      message: named,
    }
  })
}
