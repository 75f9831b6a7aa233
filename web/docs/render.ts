import MarkdownIt, { type Token } from 'markdown-it'
import { anchors } from './anchors.ts'

/** A heading with the text up to the next one, for the search. */
export interface Section {
  anchor: string
  title: string
  text: string
}

export interface Rendered {
  title: string
  /** The first sentence of the page. */
  summary: string
  html: string
  sections: readonly Section[]
}

/**
 * A page of Markdown as HTML.
 * @param link where a link of the page leads; null leaves its text alone
 */
export function render(markdown: string, link: (target: string) => string | null): Rendered {
  const anchorOf = anchors()
  const md = new MarkdownIt({ html: true, linkify: false })
  const tokens = md.parse(markdown.replaceAll(/^[ \t]*<!--[\s\S]*?-->[ \t]*$/gm, ''), {})
  const sections: Section[] = []
  let summary = ''
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1]
    if (token.type === 'heading_open' && inline) {
      const title = textOf(inline)
      const anchor = anchorOf(title)
      token.attrSet('id', anchor)
      sections.push({ anchor, title, text: '' })
    } else if (token.type === 'inline' || token.type === 'fence') {
      const section = sections.at(-1)
      const before = tokens[index - 1]?.type
      if (section && before !== 'heading_open') section.text += `${textOf(token)} `
      if (summary === '' && before === 'paragraph_open') summary = firstSentence(textOf(token))
    }
    for (const child of token.children ?? []) if (child.type === 'link_open') lead(child, link)
  }
  // Wide tables and code scroll by themselves, also by keyboard.
  const html = md.renderer
    .render(tokens, md.options, {})
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    // A column without a name has no header, for those who hear the table.
    .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<img ', '<img loading="lazy" ')
  return { title: sections[0]?.title ?? '', summary, html, sections }
}

function lead(token: Token, link: (target: string) => string | null): void {
  const target = link(String(token.attrGet('href')))
  if (target === null) token.attrs = []
  else token.attrSet('href', target)
}

const textOf = (token: { content: string; children?: { content: string }[] | null }): string =>
  token.children ? token.children.map(({ content }) => content || ' ').join('') : token.content

/** With a full stop at its end, also where a list follows it. */
const firstSentence = (text: string): string =>
  (/^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/:$/, '.')
