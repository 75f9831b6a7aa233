import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** The folder of the bundle; its name changes with the packages and their versions. */
export function bundleFolder() {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'scripts/bundled/packages.json', 'scripts/bundled/build.mjs'])
    hash.update(readFileSync(join(root, file)))
  return join(root, 'node_modules/.cache/cowry', `bundled-${hash.digest('hex').slice(0, 16)}`)
}
