import { PlainProblem } from '../../ui/plainError.ts'
import { readCsv, saveFile } from './downloadFile.ts'

/** As many rows as the API gives at once. */
const pageSize = 100

/**
 * Saves all rows of a list as a file, read page by page. A list that breaks off is not saved.
 * @param path of the list, with its filter @throws PlainProblem
 */
export async function downloadList(path: string, name: string): Promise<void> {
  const parts: string[] = []
  const at = (more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`
  let next: string | null = at(`limit=${pageSize}&bom=true`)
  while (next !== null) {
    const { text, cursor } = await readCsv(next)
    // Each page has the heads of the columns; the file has them once.
    parts.push(parts.length === 0 ? text : withoutHeads(text))
    next = cursor === null ? null : at(`limit=${pageSize}&cursor=${encodeURIComponent(cursor)}`)
  }
  if (parts.length === 0) throw new PlainProblem('There is nothing to save.')
  saveFile(new Blob(parts, { type: 'text/csv' }), name)
}

export const withoutHeads = (csv: string): string => csv.slice(csv.indexOf('\n') + 1)
