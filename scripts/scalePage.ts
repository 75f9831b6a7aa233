import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMeasured } from '../bench/scaleMeasured.ts'
import { scaleTables } from '../bench/scaleTables.ts'

/**
 * docs/scale.md with its tables, which the simulation makes of what was measured last
 * (`npm run bench -- scale --save`).
 */
export function scalePage(): string {
  const page = readFileSync(join(import.meta.dirname, '../docs/scale.md'), 'utf8')
  return Object.entries(scaleTables(readMeasured())).reduce((text, [name, lines]) => {
    const place = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end -->)`)
    if (!place.test(text)) throw new Error(`docs/scale.md has no place for the table ${name}`)
    return text.replace(place, (_, start: string, end: string) => `${start}\n${lines.join('\n')}\n\n${end}`)
  }, page)
}
