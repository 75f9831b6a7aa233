import type { Mistake } from './requests.ts'

export interface Answered {
  name: string
  status: number
  error: string
  fields?: { field: string; message: string; code?: string }[]
  message?: string
}

/** What was answered to each request before, and what is answered now. */
export const answersPage = (
  mistakes: readonly Mistake[],
  before: readonly Answered[],
  now: readonly Answered[],
): string =>
  [
    '# Requests with mistakes, and their answers',
    '',
    '<!-- Made by the test beside it, with MISTAKES_RECORD=now. -->',
    '',
    '`before` is the answer of the version that named one mistake at a time.',
    '',
    ...mistakes.flatMap((mistake) => [
      `## ${mistake.name}`,
      '',
      '```',
      shown(mistake),
      '',
      `before: ${answerText(before.find(({ name }) => name === mistake.name))}`,
      '',
      `now: ${answerText(now.find(({ name }) => name === mistake.name))}`,
      '```',
      '',
    ]),
  ].join('\n')

function shown({ request, body, with: by }: Mistake): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return [request.replace(' //', ' /'), text && cut(text), by && `(credential: ${by})`]
    .filter(Boolean)
    .join('\n')
}

const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

function answerText(answer: Answered | undefined): string {
  if (!answer) return '(not recorded)'
  const { status, error, fields = [], message } = answer
  const head = `${status} ${error}`
  if (fields.length === 0) return message ? `${head}\n  ${message}` : head
  return [
    head,
    ...fields.map(({ field, code, message }) => `  ${field}${code ? ` [${code}]` : ''}: ${message}`),
  ].join('\n')
}
