import type { Prose } from './textsOf.ts'

/** The words in backticks in the column "Not" of a section of the glossary. */
export function avoidedWords(glossary: string, section = 'Plain words'): ReadonlySet<string> {
  const [table] = glossary.split(`## ${section}\n`)[1]?.split(/^## /m) ?? []
  const cells = [...(table ?? '').matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell ?? '')
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([a-z]+)`/g)].map(([, word]) => word as string)))
}

export interface Use {
  line: number
  word: string
  /** The surrounding text. */
  around: string
}

/** Counts all words of some texts, and finds those to avoid. */
export function usesIn(
  texts: readonly Prose[],
  avoided: ReadonlySet<string>,
): { words: number; uses: Use[] } {
  let words = 0
  const uses: Use[] = []
  for (const { line, text } of texts) {
    for (const { 0: word, index } of text.matchAll(/\p{L}[\p{L}'’-]*/gu)) {
      words++
      if (!avoided.has(word.toLowerCase())) continue
      const before = text.slice(0, index).split('\n').length - 1
      const around = text.slice(Math.max(0, index - 40), index + word.length + 40).replace(/\s+/g, ' ')
      uses.push({ line: line + before, word, around: around.trim() })
    }
  }
  return { words, uses }
}
