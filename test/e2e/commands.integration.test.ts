import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { help } from '../../commands/help.ts'
import { type CommandName, commandNames } from '../../commands/table.ts'
import { commandArguments, nodeArguments } from '../../scripts/local/nodeArguments.ts'
import { oldPaths, oldScripts, oldTools } from '../../scripts/oldNames.mjs'
import { type CommandOutcome, runScript } from '../support/command.ts'
import { root } from '../support/composeFile.ts'
import { full } from '../support/full.ts'

const { scripts, bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
  bin: Record<string, string>
  version: string
}

const node = (args: readonly string[], env: Record<string, string> = {}): Promise<CommandOutcome> =>
  started(process.execPath, args, { PATH: process.env.PATH ?? '', ...env })

function started(
  program: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<CommandOutcome> {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const outcome = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (outcome.out += chunk))
  child.stderr.on('data', (chunk: Buffer) => (outcome.err += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...outcome }))
  })
}

/** Runs `work` for all, four at a time. */
async function forEachOf<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < all.length; i += 4) await Promise.all(all.slice(i, i + 4).map(work))
}

/** Commands of the operator, each with arguments that its program does not understand. */
const misused: [command: string, ...args: string[]][] = [
  ['account', 'lock', 'nobody'],
  ['business', 'hold', 'x', 'papers'],
  ['intents', 'reprice', '01a22744-c6ff-77ed-a1a2-0deb78317a13', 'cheap'],
  ['fees', 'ceiling', 'dogecoin', '1'],
  ['bridge', 'end', '01a22744-c6ff-77ed-a1a2-0deb78317a13'],
  ['backup', 'check', '--to', '2026-11-30 01:30'],
  ['deliveries', 'erase', 'all'],
  ['ledger', 'closes', 'x'],
  ['lookup-table'],
  ['doctor', 'bank'],
]

describe('cowry', () => {
  test.each(misused)(
    '%s %s: prints its usage, needs no configuration for that, and does nothing',
    async (command, ...args) => {
      const { code, out, err } = await runScript(command, args)
      expect({ code, out, err }).toEqual({
        code: 2,
        out: '',
        err: expect.stringMatching(/^cowry: .*\nUsage: cowry /),
      })
      expect(err).toContain(`Usage: cowry ${command}`)
      expect(err).not.toMatch(/\n\s+at /)
    },
  )

  test('an unknown command is refused with the nearest name, and an unknown option as well', async () => {
    expect(await node([...commandArguments, 'payuots'])).toEqual({
      code: 2,
      out: '',
      err: 'cowry: there is no command payuots; did you mean payouts?\ncowry help lists the commands\n',
    })
    expect(await node([...commandArguments, 'dead-jobs', '--repaly'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining('dead-jobs has no option --repaly'),
    })
  })

  test('help, in each way that it is asked for', async () => {
    const print = async (...args: string[]) => {
      const { code, out, err } = await node([...commandArguments, ...args])
      expect([code, err]).toEqual([0, ''])
      return out
    }
    const all = await print()
    for (const name of commandNames) expect(all).toContain(`  ${name} `)
    for (const word of ['help', '--help', '-h']) expect(await print(word)).toBe(all)
    const ofPayouts = await print('help', 'payouts')
    expect(ofPayouts).toContain('cowry payouts show <id>\n')
    expect(await print('payouts', '--help')).toBe(ofPayouts)
    const ofEnd = await print('payouts', 'end', '--help')
    expect(ofEnd).toContain('--evidence')
    expect(ofEnd).not.toContain('payouts show')
    expect(await print('help', 'run')).toContain('cowry run treasury')
    expect(await print('--version')).toBe(`${version}\n`)
  })

  test('help loads no code but the table, and what a wrong line is refused with', async () => {
    const hooks = `import module from 'node:module'
      module.registerHooks({ load: (url, context, next) => { process.stderr.write(url + '\\n'); return next(url, context) } })`
    const watching = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
    const { code, err } = await node([...watching, ...commandArguments, 'help'])
    const loaded = err.split('\n').filter((line) => line.startsWith('file:') && !line.includes('/scripts/'))
    expect(code).toBe(0)
    expect(loaded.map((url) => url.split('/').slice(-2).join('/')).sort()).toEqual([
      ...['cowry', 'help', 'nearest', 'readLine', 'table', 'usageError'].map((name) => `commands/${name}.ts`),
      'platform/errors.ts',
      'platform/secrets.ts',
    ])
  })

  test('is the program of the package, and runs by npx', async () => {
    expect(bin.cowry).toBe('scripts/cowry.mjs')
    const { NODE_OPTIONS: _, ...env } = process.env
    expect(await started('npx', ['cowry', '--version'], env)).toMatchObject({ code: 0, out: `${version}\n` })
  })

  test.each([
    ['business'],
    ['dead-jobs'],
    ['migrate'],
    ['intents'],
    ['fees'],
    ['keys', 'unconfirmed'],
    ['ledger', 'closes'],
    ['account', 'lock', 'a@example.com'],
  ])('%s: says in one line that the database does not answer', async (command, ...args) => {
    const { code, err } = await runScript(command, args, () => ({
      DATABASE_URL: 'postgresql://cowry:cowry@127.0.0.1:1/cowry',
    }))
    expect({ code, err }).toEqual({ code: 1, err: 'connect ECONNREFUSED 127.0.0.1:1\n' })
  })

  test('a module of a command that is started by itself says how it runs', async () => {
    const { code, err } = await node(['commands/payouts.ts', 'unknown'])
    expect([code, err]).toEqual([1, expect.stringContaining('run this as npm run cowry -- payouts')])
  })
})

describe('names of the version before', () => {
  const kept = 'start cowry demo pictures test test:full bench lint typecheck generate setup'.split(' ')

  test('are all the scripts of the package after the marker, and no others', () => {
    const names = Object.keys(scripts)
    expect(names.slice(0, names.indexOf('//'))).toEqual(kept)
    const old = names.slice(names.indexOf('//') + 1)
    expect(old.sort()).toEqual([...Object.keys(oldScripts), ...Object.keys(oldTools)].sort())
    for (const name of old) expect(scripts[name]).toBe(`node scripts/oldScript.mjs ${name}`)
  })

  test('each script runs its command, with a warning', () =>
    forEachOf(Object.entries(oldScripts), async ([name, command]) => {
      const [program = '', ...words] = (scripts[name] ?? '').split(' ')
      expect(program).toBe('node')
      expect(await node([...words, '--help'])).toEqual({
        code: 0,
        out: help(command as CommandName),
        err: `npm run ${name} is now npm run cowry -- ${command}; the old name works for one more version\n`,
      })
    }))

  test('each path of a program runs its command, with a warning, for Node and in the image', () =>
    forEachOf(Object.entries(oldPaths), async ([path, command]) => {
      const warning = `${path} is now cowry ${command}; the old name works for one more version\n`
      const expected = { code: 0, out: help(command as CommandName), err: warning }
      expect(await node([...nodeArguments, path, '--help'])).toEqual(expected)
      // In the image, they follow its own program.
      if (full || path.endsWith('/main.ts'))
        expect(await node([...commandArguments, path, '--help'])).toEqual(expected)
    }))

  test('a command does its work under its old name, with its arguments and its exit code', async () => {
    const keys = await node((scripts['intent-keys'] ?? '').split(' ').slice(1).concat('api'))
    expect(keys).toMatchObject({ code: 0, out: expect.stringMatching(/^API_INTENT_KEY=/) })
    const database = { DATABASE_URL: 'postgresql://cowry:cowry@127.0.0.1:1/cowry' }
    const dead = await node([...nodeArguments, 'commands/deadJobs.ts', 'replay'], database)
    expect([dead.code, dead.err]).toEqual([1, expect.stringContaining('connect ECONNREFUSED 127.0.0.1:1\n')])
    const wrong = await node((scripts.payouts ?? '').split(' ').slice(1).concat('shwo'))
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('did you mean show?')])
  })

  test('npm run cowry alone still runs all in one process, with a warning', async () => {
    const { code, err } = await node(commandArguments, { npm_lifecycle_event: 'cowry', METRICS_PORT: '0' })
    expect([code, err]).toEqual([2, expect.stringContaining('npm run cowry is now cowry run all;')])
    expect(err).toContain('REDIS_URL is not set')
  })

  test('the tools have their own commands', async () => {
    const { err } = await node((scripts.build ?? '').split(' ').slice(1).concat('--help'))
    expect(err).toContain(
      'npm run build is now npx vite build web; the old name works for one more version\n',
    )
  })
})
