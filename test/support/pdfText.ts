import { inflateSync } from 'node:zlib'

/**
 * The text of a PDF that Chromium printed, in the order in which it is drawn and without white space, which a
 * PDF has only as places. For such files alone: it reads plain objects, and fonts with a table of Unicode.
 */
export function pdfText(file: Buffer): string {
  const source = file.toString('latin1')
  const objects = new Map(
    [...source.matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g)].map(([, id = '', body = '']) => [id, body]),
  )
  const fonts = new Map<string, ReadonlyMap<string, string>>()
  for (const [, name = '', id = ''] of source.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const [, table = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? []
    fonts.set(name, unicodeOf(streamOf(objects.get(table) ?? '')))
  }
  return [...objects.values()].map((body) => drawn(streamOf(body), fonts)).join('')
}

function streamOf(body: string): string {
  const [, data] = /stream\r?\n([\s\S]*?)\r?\nendstream/.exec(body) ?? []
  if (data === undefined) return ''
  if (!body.includes('/FlateDecode')) return data
  return inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
}

/** The characters of a font's glyphs, by their numbers in hexadecimal. */
function unicodeOf(table: string): Map<string, string> {
  const found = new Map<string, string>()
  const text = (hex: string, plus = 0) =>
    String.fromCodePoint(...[...hex.matchAll(/.{4}/g)].map(([unit]) => Number.parseInt(unit, 16) + plus))
  for (const [, chars = ''] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', hex = ''] of chars.matchAll(/<(\w+)> <(\w+)>/g)) found.set(glyph, text(hex))
  for (const [, ranges = ''] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', to = '', hex = ''] of ranges.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      const first = Number.parseInt(from, 16)
      for (let glyph = first; glyph <= Number.parseInt(to, 16); glyph++)
        found.set(glyph.toString(16).toUpperCase().padStart(4, '0'), text(hex, glyph - first))
    }
  return found
}

function drawn(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font: ReadonlyMap<string, string> | undefined
  let text = ''
  for (const [, name, glyphs = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
    if (name !== undefined) font = fonts.get(name)
    else for (const [glyph] of glyphs.toUpperCase().matchAll(/.{4}/g)) text += (font?.get(glyph) ?? '').trim()
  }
  return text
}
