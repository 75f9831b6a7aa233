import { parseSync, Visitor } from 'oxc-parser'

/** A piece of prose and its first line. */
export interface Prose {
  line: number
  text: string
}

/**
 * The comments, messages and test names of a source file, or the text of a page, without code in backticks
 * and names in snake_case.
 */
export function textsOf(file: string, source: string): Prose[] {
  const texts = /\.(ts|tsx|mts|mjs|cjs|js)$/.test(file)
    ? textsOfCode(file, source)
    : textsOfPage(file, source)
  return texts.map(({ line, text }) => ({ line, text: withoutCode(text) }))
}

function textsOfCode(file: string, source: string): Prose[] {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: { at: number; text: string }[] = comments.map(({ start, value }) => ({
    at: start,
    text: value.replace(/^[ \t]*\*/gm, ''),
  }))
  const message = (at: number, text: string) => {
    if (sqlStart.test(text)) found.push({ at, text: proseOfSql(text) })
    else if (text.trim().split(/\s+/).length >= 3) found.push({ at, text })
  }
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') message(node.start, node.value)
    },
    TemplateLiteral(node) {
      message(node.start, node.quasis.map(({ value }) => value.cooked ?? '').join(' x '))
    },
    JSXText(node) {
      message(node.start, node.value)
    },
  }).visit(program)
  const lineAt = lines(source)
  return found.map(({ at, text }) => ({ line: lineAt(at), text }))
}

/** The lines of other files (YAML, shell); of Markdown without code blocks, of CSS the comments. */
function textsOfPage(file: string, source: string): Prose[] {
  const text = proseOf(file, source)
  return text.split('\n').map((line, index) => ({ line: index + 1, text: line }))
}

function proseOf(file: string, source: string): string {
  if (file.endsWith('.md')) return source.replace(/^```[\s\S]*?^```/gm, blank).replace(/\]\([^)]*\)/g, ']')
  if (file.endsWith('.css'))
    return source.replace(/\/\*[\s\S]*?\*\/|[^\n]/g, (part) => (part.startsWith('/*') ? part : ''))
  return source
}

const sqlStart =
  /^\s*(--|select|insert|update|delete|with|create|alter|drop|grant|revoke|comment on|do|set|begin|declare|case|from|where|and|or|order by|on conflict)\b/i

const proseOfSql = (sql: string): string =>
  [...sql.matchAll(/--(.*)$|comment on [^']*'((?:[^']|'')*)'/gim)]
    .map(([, comment, on]) => comment ?? on ?? '')
    .join('\n')

const withoutCode = (text: string): string => text.replace(/`[^`\n]*`|\w+_\w+/g, ' ')
const blank = (text: string): string => text.replace(/[^\n]/g, '')

function lines(source: string): (at: number) => number {
  const starts = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return (at) => {
    const next = starts.findIndex((start) => start >= at)
    return (next < 0 ? starts.length : next) + 1
  }
}
