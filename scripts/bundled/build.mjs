import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { bundleFolder } from './folder.mjs'

// node scripts/bundled/build.mjs: bundles the imported packages into a few files. Node takes half a
// millisecond of CPU to find, read and link a module, and a chain's library has hundreds. Loaded by
// scripts/preload.mjs.

const names = JSON.parse(readFileSync(join(import.meta.dirname, 'packages.json'), 'utf8'))
/** Optional native modules of the packages. */
const optional = ['bufferutil', 'utf-8-validate', 'pg-native', 'pg-hstore', 'bigint-buffer', 'encoding']
const fileOf = (name) => `${name.replaceAll('/', '__')}.mjs`
const isName = (each) => /^[A-Za-z_$][\w$]*$/.test(each) && each !== 'default'

/** bip39 takes word lists that are missing as not wanted. Cowry uses the English one. */
const onlyEnglish = {
  name: 'only the English list of bip39',
  load: (id) =>
    /bip39[/\\]src[/\\]wordlists[/\\](?!english)\w+\.json$/.test(id)
      ? { code: 'module.exports = undefined', moduleType: 'js' }
      : null,
}

/** A module with the same exports that Node gives the package. */
function moduleOf(name, exported) {
  const from = JSON.stringify(name)
  if (!('module.exports' in exported))
    return `export * from ${from}\n${'default' in exported ? `export { default } from ${from}\n` : ''}`
  const each = Object.keys(exported).filter(isName)
  return [
    `import all from ${from}`,
    'export default all',
    ...each.map((key, i) => `const _${i} = all.${key}`),
    `export { ${each.map((key, i) => `_${i} as ${key}`).join(', ')} }`,
    '',
  ].join('\n')
}

/** @throws if the bundle's exports differ from the package's */
async function requireSameExports(name, exported, file) {
  const bundled = await import(pathToFileURL(file).href)
  const kindOf = (value) => (value === null ? 'null' : typeof value)
  for (const key of Object.keys(exported)) {
    if (key !== 'default' && !isName(key)) continue
    if (kindOf(bundled[key]) !== kindOf(exported[key]))
      throw new Error(`${name}: the bundle's ${key} differs from the package's`)
  }
}

const folder = bundleFolder()
if (!existsSync(folder)) {
  // Build in a temporary folder, then rename: another process may build the same.
  const temporary = `${folder}.${process.pid}`
  const modules = join(temporary, 'from')
  mkdirSync(modules, { recursive: true })
  try {
    const exportsOf = new Map()
    for (const name of names) {
      exportsOf.set(name, await import(name))
      writeFileSync(join(modules, fileOf(name)), moduleOf(name, exportsOf.get(name)))
    }
    const bundle = await rolldown({
      input: Object.fromEntries(
        names.map((name) => [fileOf(name).slice(0, -'.mjs'.length), join(modules, fileOf(name))]),
      ),
      platform: 'node',
      external: optional,
      plugins: [onlyEnglish],
    })
    await bundle.write({
      dir: temporary,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunk-[name]-[hash].mjs',
    })
    for (const name of names)
      await requireSameExports(name, exportsOf.get(name), join(temporary, fileOf(name)))
    writeFileSync(
      join(temporary, 'files.json'),
      JSON.stringify(Object.fromEntries(names.map((name) => [name, fileOf(name)]))),
    )
    rmSync(modules, { recursive: true })
    renameSync(temporary, folder)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}
