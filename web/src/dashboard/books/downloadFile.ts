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
  const answer = await fetch(`${apiPath}${path}${mark}`, { headers: { accept: type } }).catch(unreachable)
  if (!answer.ok) throw new PlainProblem(await reasonOf(answer))
  const url = URL.createObjectURL(await answer.blob().catch(unreachable))
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
