import { PlainProblem } from '../../ui/plainError.ts'
import { apiPath } from '../session/createApi.ts'

/**
 * Saves an answer of the dashboard's API as a file. An answer that breaks off is not saved. @throws
 * PlainProblem
 */
export async function downloadFile(
  path: string,
  name: string,
  type: 'text/csv' | 'application/pdf' = 'text/csv',
): Promise<void> {
  // Spreadsheets read CSV as UTF-8 by its mark.
  const mark = type === 'text/csv' ? `${path.includes('?') ? '&' : '?'}bom=true` : ''
  const answer = await request(`${path}${mark}`, type)
  saveFile(await answer.blob().catch(unreachable), name)
}

/** One page of a list as CSV, with the cursor of the next one. @throws PlainProblem */
export async function readCsv(path: string): Promise<{ text: string; cursor: string | null }> {
  const answer = await request(path, 'text/csv')
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  // `text()` would drop the mark by which spreadsheets read it as UTF-8.
  const bytes = await answer.arrayBuffer().catch(unreachable)
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    cursor: next === undefined ? null : new URL(next, location.origin).searchParams.get('cursor'),
  }
}

async function request(path: string, type: string): Promise<Response> {
  const answer = await fetch(`${apiPath}${path}`, { headers: { accept: type } }).catch(unreachable)
  if (!answer.ok) throw new PlainProblem(await reasonOf(answer))
  return answer
}

export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function unreachable(): never {
  throw new PlainProblem('The file did not arrive whole. Check your connection, then try again.')
}

async function reasonOf(answer: Response): Promise<string> {
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
  return message ? `The file was refused: ${message}.` : 'The file was refused. Load the page again.'
}
