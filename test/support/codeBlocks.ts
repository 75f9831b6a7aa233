import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** All pages for readers, without those that are made of code. */
export const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root }).sort()]

export interface CodeBlock {
  page: string
  line: number
  /** `''`: none is named. */
  language: string
  text: string
  /** Of the comment above: `not run: <why>`, `in the background`, or `''`. */
  note: string
}

/** The fenced blocks of a page, in order; in list items without their indentation. */
export function codeBlocksOf(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { indent: string; lines: string[]; line: number; language: string; note: string } | null = null
  let note = ''
  for (const [index, text] of readFileSync(join(root, page), 'utf8').split('\n').entries()) {
    const fence = /^(\s*)```(\w*)\s*$/.exec(text)
    if (open && fence) {
      blocks.push({
        page,
        line: open.line,
        language: open.language,
        text: open.lines.join('\n'),
        note: open.note,
      })
      open = null
      note = ''
    } else if (open) open.lines.push(text.startsWith(open.indent) ? text.slice(open.indent.length) : text)
    else if (fence)
      open = { indent: fence[1] ?? '', lines: [], line: index + 1, language: fence[2] ?? '', note }
    else if (text.trim() !== '')
      note = /^\s*<!-- ((?:not run: |in the background).*?) ?-->$/.exec(text)?.[1] ?? ''
  }
  return blocks
}

/** Pages whose shell examples a reader can run beside `npm start`, in the order of reading. */
export const walkedPages = [
  'README.md',
  'docs/getting-started.md',
  ...[
    'sessions',
    'checkout',
    'payment-links',
    'webhooks',
    'books',
    'authentication',
    'chains',
    'monitoring',
    'transfers',
  ],
  ...['payouts', 'refunds', 'collections', 'swaps', 'bridge', 'staking', 'verification'],
].map((page) => (page.endsWith('.md') ? page : `docs/${page}.md`))

export const isShell = ({ language }: CodeBlock): boolean => language === 'sh' || language === 'bash'
