// An accountant's check of a month: sessions, payouts, entries and statement of the books, and the statement
// of the bank, as CSV files of one folder. It uses nothing of Cowry. Prints what fees to book, or what does
// not agree, and then ends with 1.

import { readFileSync } from 'node:fs'

const folder = process.argv[2]
const problems = []

/** RFC 4180, with a first line of names; a byte order mark is skipped. */
function read(name) {
  const text = readFileSync(`${folder}/${name}.csv`, 'utf8').replace(/^\ufeff/, '')
  const rows = []
  let row = []
  let cell = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c !== '"') cell += c
      else if (text[i + 1] === '"') cell += text[++i]
      else quoted = false
    } else if (c === '"') quoted = true
    else if (c === ',') {
      row.push(cell)
      cell = ''
    } else if (c === '\n') {
      rows.push([...row, cell.replace(/\r$/, '')])
      row = []
      cell = ''
    } else cell += c
  }
  const [head, ...lines] = rows
  return lines.map((line) => {
    if (line.length !== head.length) throw new Error(`${name}.csv has a line of ${line.length} cells`)
    return Object.fromEntries(head.map((column, at) => [column, line[at]]))
  })
}

/** Decimals as integers of 10^-18: every amount of the files fits. */
const scale = 18
function exact(text) {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`${text} is no amount`)
  const [whole, fraction = ''] = text.replace('-', '').split('.')
  if (fraction.length > scale) throw new Error(`${text} has too many decimals`)
  const size = BigInt(whole + fraction.padEnd(scale, '0'))
  return text.startsWith('-') ? -size : size
}
const sum = (rows, of = (row) => row.amount) => rows.reduce((total, row) => total + exact(of(row)), 0n)

function shown(size) {
  const digits = (size < 0n ? -size : size).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return `${size < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction && `.${fraction}`}`
}

function same(what, one, other) {
  if (one !== other) problems.push(`${what}: ${shown(one)} and ${shown(other)}`)
}

const [sessions, payouts, entries, statement, bank] = [
  'sessions',
  'payouts',
  'entries',
  'statement',
  'bank',
].map(read)
const ofKind = (start) => entries.filter(({ kind }) => kind.startsWith(start))

// What the bank got is what the payouts say, each once; what it sent back is an entry, too.
for (const { id, status, receiveAmount, receiveCurrency } of payouts) {
  const lines = bank.filter(({ payout, currency }) => payout === id && currency === receiveCurrency)
  const sent = status === 'completed' ? exact(receiveAmount) : 0n
  same(`payout ${id} (${status}) and the bank`, sent, sum(lines))
}
for (const { payout } of bank)
  if (!payouts.some(({ id }) => id === payout)) problems.push(`the bank has ${payout}, which is no payout`)

// What a payout took is in the entries to the unit, its fee by itself.
for (const { id, amount, fee, receiveAmount, status } of payouts) {
  const lines = ofKind('payout.posted').filter(({ reference }) => reference === id)
  const hasLeft = status === 'completed' || status === 'returned'
  same(`payout ${id} and its entries`, hasLeft ? -exact(amount) : 0n, sum(lines))
  if (!hasLeft) continue
  const [fees, paid] = ['fee', 'paid'].map((part) => lines.filter((line) => line.part === part))
  same(
    `the fee of payout ${id}`,
    exact(fee),
    sum(fees, ({ fiat }) => fiat),
  )
  same(
    `what the bank got of payout ${id}`,
    exact(receiveAmount),
    sum(paid, ({ fiat }) => fiat),
  )
}

// What a session received is in the entries, on whatever account it is by now.
for (const { session: id, amount_received: amountReceived } of sessions)
  same(
    `session ${id} and its entries`,
    exact(amountReceived),
    sum(ofKind('deposit.').filter(({ session }) => session === id)),
  )

// Each balance of the statement follows from the entries.
const rows = statement.filter(({ account }) => account !== 'all')
for (const { account, asset, amount: closing } of rows.filter(({ line }) => line === 'closing')) {
  const of = (each) => each.account === account && each.asset === asset
  const opening = sum(rows.filter((each) => of(each) && each.line === 'opening'))
  same(`${account} ${asset}`, exact(closing), opening + sum(entries.filter(of)))
}
for (const { account, asset } of entries)
  if (!rows.some((each) => each.account === account && each.asset === asset))
    problems.push(`${account} ${asset} has entries, and no balance`)

// Its lines explain the change of everything, with fees by themselves.
const all = statement.filter(({ account }) => account === 'all')
for (const asset of new Set(statement.map((row) => row.asset))) {
  const of = (line) => rows.filter((each) => each.asset === asset && each.line === line)
  const sided = (line) =>
    sum(of(line), ({ account, amount }) => (account === 'receivable' ? shown(-exact(amount)) : amount))
  same(
    `the lines of ${asset}`,
    sided('closing') - sided('opening'),
    sum(all.filter((each) => each.asset === asset)),
  )
  for (const part of ['fee', 'margin', 'rounding'])
    same(
      `${part} of ${asset}`,
      sum(all.filter((each) => each.asset === asset && each.line === part)),
      sum(entries.filter((each) => each.asset === asset && each.part === part)),
    )
}

const fees = all.filter(({ line }) => ['fee', 'margin', 'rounding'].includes(line))
const print = (to, text) => to.write(`${text}\n`)
for (const { line, amount, symbol, fiat, currency } of fees)
  print(process.stdout, `book ${line}: ${amount} ${symbol}${fiat && ` (${fiat} ${currency})`}`)
const counted = { sessions, payouts, entries, 'lines of the bank': bank }
print(
  process.stdout,
  Object.entries(counted)
    .map(([name, of]) => `${of.length} ${name}`)
    .join(', '),
)
for (const problem of problems) print(process.stderr, `does not agree: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
