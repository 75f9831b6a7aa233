/** One line of a file: its number as an editor shows it, and its cells as text. */
export interface CsvLine {
  line: number
  cells: string[]
}

/**
 * Reads CSV as spreadsheets write it (RFC 4180): with or without a mark of UTF-8, with a comma, a semicolon or
 * a tab between cells, and with quotes. Nothing is guessed of a cell: it stays text. Empty lines are left out.
 * @throws Error for a quote that is never closed
 */
export function parseCsv(text: string): CsvLine[] {
  const content = text.replace(/^\ufeff/, '')
  const separator = separatorOf(content.split(/\r?\n/, 1)[0] ?? '')
  const lines: CsvLine[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let start = 1
  const endCell = () => {
    cells.push(cell.trim())
    cell = ''
  }
  const endLine = () => {
    endCell()
    if (cells.some((each) => each !== '')) lines.push({ line: start, cells })
    cells = []
    start = line
  }
  for (let at = 0; at < content.length; at++) {
    const char = content[at]
    if (char === '\n') line++
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (content[at + 1] === '"') cell += content[at++]
      else isQuoted = false
    } else if (char === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (char === separator) endCell()
    else if (char === '\n') endLine()
    else if (char !== '\r') cell += char
  }
  if (isQuoted) throw new Error(`Line ${start} has a quote that is never closed.`)
  endLine()
  return lines
}

/** The separator that the heads of the columns use most. */
function separatorOf(heads: string): string {
  const countOf = (char: string) => heads.split(char).length
  return [',', ';', '\t'].reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
}
