import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** Next to the Node that runs the tests: npm itself takes any. */
const env = {
  ...process.env,
  NODE_OPTIONS: '',
  PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
}

/** An empty project outside the repository. */
export interface Project {
  folder: string
  write(name: string, text: string): string
  /** Runs a program in it, to its end. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<Outcome>
  remove(): void
}

export interface RunOptions {
  input?: string
  /** Gets what it prints, as it comes. */
  heard?: (text: string) => void
}

export interface Outcome {
  status: number | null
  stdout: string
  stderr: string
}

export function createProject(name: string): Project {
  const folder = mkdtempSync(join(tmpdir(), `cowry-${name}-`))
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text)
    return join(folder, file)
  }
  write('package.json', JSON.stringify({ name, private: true, type: 'module' }))
  return {
    folder,
    write,
    run: (program, args, options) => runProgram(folder, program, args, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Stand-ins of partners answer meanwhile: they are in this process. */
function runProgram(
  cwd: string,
  program: string,
  args: readonly string[],
  { input = '', heard = () => {} }: RunOptions = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, timeout: 120_000 })
    const ended = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      ended.stdout += text
      heard(text)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text))
    child.stdin.on('error', () => {}).end(input)
    child.on('error', ({ message }) => resolve({ status: null, ...ended, stderr: message }))
    child.on('close', (status) => resolve({ status, ...ended }))
  })
}

/** @returns what it printed. @throws if it failed */
async function printed(cwd: string, program: string, args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runProgram(cwd, program, args)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout.trim()
}

/** Packs the client as the command does. @returns the package's file */
const packClient = (folder: string): Promise<string> =>
  printed(root, process.execPath, [
    '--disable-warning=ExperimentalWarning',
    'commands/cowry.ts',
    'dev',
    'client-package',
    folder,
  ])

/** Installs the package with no network. */
export async function installPacked({ folder }: Project): Promise<void> {
  const file = await packClient(folder)
  await printed(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', file])
}

const measure = `
  const { rolldown } = await import('rolldown')
  const { gzipSync } = await import('node:zlib')
  const input = process.argv[1]
  const bundle = await rolldown({ input, external: (id) => id.includes('/contract/') })
  const { output } = await bundle.generate({ minify: true })
  process.stdout.write(String(gzipSync(output[0].code).length))`

/** Bytes of a module with all that it imports, except the contract's tables: minified, and compressed by gzip. */
export const compressedSize = async (file: string): Promise<number> =>
  Number(await printed(root, process.execPath, ['--input-type=module', '--eval', measure, file]))
