import PDFDocument from 'pdfkit'
import type { StreamPiece } from '../platform/http/bodies.ts'
import type { StatementView } from './statement.ts'
import { accountTitles, kindTitle, lineTitle } from './statementTitles.ts'

interface Owner {
  id: string
  name: string
}

const margin = 50
const size = { title: 20, head: 12, text: 9 }
const gray = '#555555'

/** A statement on A4, in pieces. @param timeZone of its times */
export async function* statementPdf(
  owner: Owner,
  statement: StatementView,
  timeZone: string,
): AsyncGenerator<StreamPiece, void, undefined> {
  const document = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info: { Title: `Statement ${statement.from} to ${statement.to}` },
  })
  drawHead(document, owner, statement, timeZone)
  drawTable(document, 'In short', ['What', 'Asset', 'Entries', 'Amount', 'In currency'], linesOf(statement))
  drawTable(document, 'By account', ['Account', 'Asset', 'Line', 'Entries', 'Amount'], accountsOf(statement))
  numberPages(document)
  document.end()
  for await (const piece of document) yield { body: undefined, text: piece as Uint8Array }
}

function drawHead(
  document: PDFKit.PDFDocument,
  owner: Owner,
  { from, to, finalUntil }: StatementView,
  timeZone: string,
): void {
  const times = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long', timeStyle: 'short' })
  const at = (time: string) => times.format(new Date(time))
  document.font('Helvetica-Bold').fontSize(size.title).text('Statement')
  document.font('Helvetica').fontSize(size.head).text(latin(owner.name))
  document.fontSize(size.text).fillColor(gray)
  document.text(`Business ${owner.id}`)
  document.text(`From ${at(from)} to ${at(to)}, ${timeZone}; the end is not included`)
  document.text(
    finalUntil >= to
      ? 'Final: no entry is added to this period any more'
      : 'Not final: entries can still be added',
  )
  document.fillColor('black')
}

const linesOf = ({ lines }: StatementView): string[][] =>
  lines.map(({ line, asset, entries, amount, symbol, fiat }) => [
    lineTitle(line),
    asset,
    String(entries),
    `${grouped(amount)} ${symbol}`,
    fiat ? `${grouped(fiat.amount)} ${fiat.currency}` : '',
  ])

const accountsOf = ({ accounts }: StatementView): string[][] =>
  accounts.flatMap(({ account, asset, symbol, opening, movements, closing }) => {
    const row = (line: string, entries: string, amount: string) => [
      accountTitles[account],
      asset,
      line,
      entries,
      `${grouped(amount)} ${symbol}`,
    ]
    return [
      row('Opening', '', opening),
      ...movements.map(({ kind, entries, amount }) => row(kindTitle(kind), String(entries), amount)),
      row('Closing', '', closing),
    ]
  })

/** Shares of the width, by column: the last two are amounts. */
const shares = [0.19, 0.2, 0.19, 0.2, 0.22]

function drawTable(document: PDFKit.PDFDocument, title: string, head: string[], rows: string[][]): void {
  document.moveDown(1.5).font('Helvetica-Bold').fontSize(size.head).text(title, margin)
  document.moveDown(0.4).fontSize(size.text)
  drawRow(document, head)
  document.font('Helvetica')
  if (rows.length === 0) document.text('Nothing', margin)
  for (const row of rows) drawRow(document, row)
}

function drawRow(document: PDFKit.PDFDocument, cells: readonly string[]): void {
  const { width: page, height: paper } = document.page
  const width = page - 2 * margin
  const columns = cells.map((text, index) => ({ text: latin(text), width: (shares[index] ?? 0) * width - 6 }))
  const height = Math.max(...columns.map((column) => document.heightOfString(column.text, column)))
  if (document.y + height > paper - margin - 20) document.addPage()
  const top = document.y
  let left = margin
  for (const [index, column] of columns.entries()) {
    document.text(column.text, left, top, {
      width: column.width,
      align: isAmount(cells, index) ? 'right' : 'left',
    })
    left += column.width + 6
  }
  document.y = top + height + 4
  document.x = margin
}

const isAmount = (cells: readonly string[], index: number): boolean => index >= cells.length - 2

function numberPages(document: PDFKit.PDFDocument): void {
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page)
    // In the margin, where text would otherwise start another page.
    document.page.margins.bottom = 0
    document
      .fontSize(size.text)
      .fillColor(gray)
      .text(`${page + 1} of ${count}`, margin, document.page.height - margin + 10, { align: 'center' })
  }
}

/** The whole part in groups: exact, unlike on a screen. */
function grouped(amount: string): string {
  const [whole = '', fraction] = amount.split('.')
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? groups : `${groups}.${fraction}`
}

/** Helvetica has the letters of western Europe. */
const latin = (text: string): string => text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?')
