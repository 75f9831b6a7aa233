import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')
const statement = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm

/** The modules that a source imports when it runs: `import type` is erased. */
export const importsOf = (source: string): string[] =>
  [...source.matchAll(statement)].flatMap(([, name]) => name ?? [])

export interface ImportGraph {
  /** Paths from the root of the project. */
  files: string[]
  /** Each package with the files that import it. */
  packages: Map<string, string[]>
}

const known = new Map<string, string[]>()

function importsOfFile(file: string): string[] {
  const before = known.get(file)
  if (before) return before
  const imports = /\.(tsx?|mjs)$/.test(file) ? importsOf(readFileSync(join(root, file), 'utf8')) : []
  known.set(file, imports)
  return imports
}

/** All modules that run when `entry` is imported, without dynamic imports. */
export function importGraph(entry: string): ImportGraph {
  const files = new Set([entry])
  const packages = new Map<string, string[]>()
  for (const file of files) {
    for (const name of importsOfFile(file)) {
      if (!name.startsWith('.'))
        packages.set(packageOf(name), [...(packages.get(packageOf(name)) ?? []), file])
      else if (existsSync(join(root, dirname(file), name)))
        files.add(relative(root, join(root, dirname(file), name)))
    }
  }
  return { files: [...files], packages }
}

/** `@noble/curves/secp256k1` belongs to `@noble/curves`. */
const packageOf = (name: string): string =>
  name.startsWith('node:')
    ? name
    : name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
