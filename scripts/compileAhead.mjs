import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

// node scripts/compileAhead.mjs <folder> <uid>: fills the NODE_COMPILE_CACHE folder of the image, whose
// processes may write nothing. Node keeps one cache per user, so it is filled as that user and then given to
// the owner of the image's other files.

const [folder = '', user = ''] = process.argv.slice(2)
const uid = Number(user)
if (folder === '' || !Number.isInteger(uid) || uid <= 0) throw new Error('give the folder and the user id')
const root = join(import.meta.dirname, '..')
mkdirSync(folder, { recursive: true })
chownSync(folder, uid, uid)

/** @param status expected: a program exits with 2 after its imports, because its environment is empty */
function run(args, status) {
  const ended = spawnSync(
    process.execPath,
    ['--import', './scripts/preload.mjs', '--disable-warning=ExperimentalWarning', ...args],
    {
      cwd: root,
      uid,
      env: { NODE_COMPILE_CACHE: folder },
      encoding: 'utf8',
    },
  )
  if (ended.status !== status) throw new Error(`${args[0]} ended with ${ended.status}: ${ended.stderr}`)
}

for (const part of ['all', 'api', 'verification', 'worker', 'treasury'])
  run(['commands/cowry.ts', 'run', part], 2)
run(['commands/cowry.ts', 'run', 'indexer', 'ethereum'], 2)
// Modules that programs import lazily.
const modules = globSync('src/**/*.ts', { cwd: root, exclude: (name) => /\.(test|d)\.ts$/.test(name) })
const imports = [...modules.map((file) => `./${file}`), '@hpke/core', 'undici'].map(
  (name) => `await import('${name}')`,
)
run(['--input-type=module', '--eval', imports.join('\n')], 0)

const { uid: owner, gid: group } = statSync(join(root, 'package.json'))
for (const name of ['', ...globSync('**', { cwd: folder })]) {
  const path = join(folder, name)
  chownSync(path, owner, group)
  chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
}
