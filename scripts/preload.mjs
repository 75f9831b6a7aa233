import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleFolder } from './bundled/folder.mjs'
import { resolveOldPath } from './oldNames.mjs'

// Loaded before a program (`node --import`): halves the CPU of a start.

resolveOldPath()

// Cache compiled code for the next start. Without a writable folder every start compiles again.
// NODE_COMPILE_CACHE names another folder.
if (!process.env.NODE_COMPILE_CACHE)
  module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/cowry/compiled'))

// Load packages from their bundle. Without a bundle of exactly these versions, each loads from its own files.
const folder = bundleFolder()
const list = join(folder, 'files.json')
if (existsSync(list)) {
  const bundled = new Map(
    Object.entries(JSON.parse(readFileSync(list, 'utf8'))).map(([name, file]) => [
      name,
      pathToFileURL(join(folder, file)).href,
    ]),
  )
  const isOwn = (parent) => parent !== undefined && !parent.includes('/node_modules/')
  module.registerHooks({
    resolve(name, context, next) {
      const url = isOwn(context.parentURL) ? bundled.get(name) : undefined
      return url === undefined ? next(name, context) : { url, format: 'module', shortCircuit: true }
    },
  })
}
