import module from 'node:module'
import { join } from 'node:path'

// Loaded before a program (`node --import`): what Node compiled is kept for the next start. Where the folder cannot be written, every start
// compiles by itself. NODE_COMPILE_CACHE names another folder.
if (!process.env.NODE_COMPILE_CACHE) module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/cowry/compiled'))
