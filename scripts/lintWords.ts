import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { avoidedWords, type Use, usesIn } from './words/avoided.ts'
import { namesOf, partsOfName } from './words/namesOf.ts'
import { textsOf } from './words/textsOf.ts'

/**
 * Counts words that docs/glossary.md says to avoid, in texts and in names of code. `--list` prints each; paths
 * limit it to some files.
 */

const perThousand = 2
/** Lower it with each name that goes. */
const maxNames = 39
const read = (file: string) => readFileSync(file, 'utf8')
const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const prose = /\.(ts|tsx|mts|mjs|cjs|js|md|ya?ml|css|sh|example)$|^\.ci\/run$|^Dockerfile$/
const notOurs = /(^|\/)(fixtures|node_modules)\/|^client\/contract\/|^docs\/glossary\.md$|^package-lock/
const files = execFileSync('git', ['ls-files', '--', ...positionals], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => prose.test(file) && !notOurs.test(file))

const glossary = read('docs/glossary.md')
const avoided = avoidedWords(glossary)
let words = 0
const uses: (Use & { file: string })[] = []
for (const file of files) {
  const found = usesIn(textsOf(file, read(file)), avoided)
  words += found.words
  uses.push(...found.uses.map((use) => ({ file, ...use })))
}
if (values.list)
  for (const { file, line, word, around } of uses)
    process.stdout.write(`${file}:${line}: ${word}: …${around}…\n`)
const rate = (uses.length / Math.max(words, 1)) * 1000
process.stdout.write(
  `${uses.length} of ${words} words are to be avoided, ${rate.toFixed(2)} in 1,000 (docs/glossary.md; at most ${perThousand})\n`,
)
if (rate > perThousand) process.exitCode = 1

const inNames = new Set([...avoided, ...avoidedWords(glossary, 'Names of code')])
const names = files
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('wasm/'))
  .flatMap((file) => namesOf(file, read(file)).map((each) => ({ file, ...each })))
const odd = names.filter(({ name }) => partsOfName(name).some((word) => inNames.has(word)))
if (values.list || odd.length > maxNames)
  for (const { file, line, name } of odd) process.stdout.write(`${file}:${line}: ${name}\n`)
process.stdout.write(
  `${odd.length} of ${names.length} names have a word to be avoided (docs/glossary.md; at most ${maxNames})\n`,
)
if (odd.length > maxNames) process.exitCode = 1
