import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The outer layer of a capability: it answers requests and takes jobs, and may use any other. */
const outer = /\/(capability|capabilities|routeContext|\w*[rR]outes|\w+Worker|start[A-Z]\w+)\.ts$/

/** Also `import type`, which `importsOf` leaves out: a type from above is an import from above. */
const statement =
  /^(?:import|export)\s[^'";]*?\sfrom\s+'(\.[^']+)'|^import\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/** An import of one folder of `src` by another. */
export interface FolderImport {
  from: string
  to: string
  /** `importing file > imported file`. */
  files: string
}

const folderOf = (path: string): string => path.split('/')[1] ?? ''

/** The imports that leave a file's folder of `src`. @param path from the root of the project */
export function folderImports(path: string, source: string): FolderImport[] {
  return [...source.matchAll(statement)].flatMap(([, ...names]) => {
    const imported = join(dirname(path), names.find((name) => name !== undefined) ?? '')
    const [from, to] = [folderOf(path), folderOf(imported)]
    return imported.startsWith('src/') && from !== to ? [{ from, to, files: `${path} > ${imported}` }] : []
  })
}

/** All imports between folders of `src`, without tests and the outer layer. */
export function importsBetweenFolders(): FolderImport[] {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !/\.(test|d)\.ts$/.test(path) && !outer.test(path))
    .flatMap((path) => folderImports(path, readFileSync(join(root, path), 'utf8')))
}

export const foldersOfSrc = (): string[] =>
  globSync('src/*/', { cwd: root })
    .map((path) => folderOf(path))
    .sort()

/** The lines of folders in docs/architecture.md, from the highest to the lowest. */
export function documentedOrder(): string[][] {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const [, list = ''] = page.match(/^### The order of the folders\n[\s\S]*?^```text\n([\s\S]*?)^```/m) ?? []
  return list
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
}

/** Imports of a folder that is not on a lower line. */
export function upwardImports(
  order: readonly (readonly string[])[],
  imports: readonly FolderImport[],
): string[] {
  const line = (folder: string) => order.findIndex((folders) => folders.includes(folder))
  return imports.filter(({ from, to }) => line(from) >= line(to)).map(({ files }) => files)
}
