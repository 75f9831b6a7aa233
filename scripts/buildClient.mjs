// Builds client/dist, of which `npm pack` makes the package: JavaScript for Node 20 and later, Deno, Bun and
// browsers, with declarations.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const built = join(root, 'client/dist')

rmSync(built, { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'client/tsconfig.build.json')], {
  // What a program prints must not get into the JSON of `npm pack --json`.
  stdio: ['ignore', process.stderr, process.stderr],
})
if (status !== 0) process.exit(status ?? 1)

// The compiler rewrites `./x.ts` in modules, and not in their declarations.
for (const file of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const path = join(built, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"))
}
copyFileSync(join(root, 'client/contract/eventSchemas.json'), join(built, 'eventSchemas.json'))
