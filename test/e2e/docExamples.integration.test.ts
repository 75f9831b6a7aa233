import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '../../scripts/local/freePort.ts'
import { type CodeBlock, codeBlocksOf, isShell, walkedPages } from '../support/codeBlocks.ts'
import { full } from '../support/full.ts'
import { interrupt, type NpmStart, newHome, npmStart, personalEnvironment } from '../support/npmStart.ts'

// A reader follows the README and the docs from top to bottom, beside an `npm start` with a COWRY_HOME and a PORT of
// its own; in the long form in a fresh clone, and with the demo.

const root = join(import.meta.dirname, '../..')
const limitMs = 240_000

let home: string
let clone: string | null = null
let started: NpmStart

beforeAll(async () => {
  home = newHome()
  clone = full ? freshClone() : null
  started = await npmStart(home, await freePort(), clone ?? root)
})
afterAll(async () => {
  if (started) await interrupt(started)
  for (const folder of [home, clone]) if (folder) rmSync(folder, { recursive: true, force: true })
})

function freshClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cowry-clone-'))
  chmodSync(folder, 0o755)
  execFileSync('git', ['clone', '--quiet', root, folder])
  return folder
}

/** Started by this suite; and, in the short form, the demo of all chains, which takes a minute. */
const isLeftOut = ({ text, note }: CodeBlock) =>
  note.startsWith('not run') || text === 'npm start' || (!full && /^npm run demo/m.test(text))

/** Stays open beside the blocks after it. Where it listens, they wait for that. */
function inBackground(text: string): string {
  const port = /\.listen\((\d+)\)/.exec(text)?.[1]
  const wait = port ? `until (: < /dev/tcp/127.0.0.1/${port}) 2> /dev/null; do sleep 0.1; done` : ''
  return `{\n${text}\n} > /dev/null 2>&1 &\n${wait}`
}

/** One shell for all blocks of a page, which ends at the first command that fails. */
const scriptOf = (blocks: readonly CodeBlock[]): string =>
  [
    'set -euo pipefail',
    "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT",
    ...blocks.map(
      (block) =>
        `printf "\\n@ %s\\n" "${block.page}:${block.line}"\n${block.note === 'in the background' ? inBackground(block.text) : block.text}\n`,
    ),
  ].join('\n')

function run(script: string): Promise<{ code: number | null; output: string }> {
  const shell = spawn('bash', ['-c', script], {
    cwd: clone ?? root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...personalEnvironment(), COWRY_HOME: home },
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const stop = setTimeout(() => process.kill(-(shell.pid as number), 'SIGKILL'), limitMs)
  return new Promise((resolve, reject) => {
    shell.once('error', reject)
    shell.once('close', (code) => {
      clearTimeout(stop)
      resolve({ code, output })
    })
  })
}

test.each(walkedPages)(
  '%s: each example runs as it is written, one after the other',
  async (page) => {
    const blocks = codeBlocksOf(page).filter((block) => isShell(block) && !isLeftOut(block))
    expect(blocks.length).toBeGreaterThan(0)
    const { code, output } = await run(scriptOf(blocks))
    expect({ code, output: code === 0 ? '' : output.slice(-3000) }).toEqual({ code: 0, output: '' })
    // Each block was reached, and no answer of the API was an error.
    expect(output.match(/^@ /gm)).toHaveLength(blocks.length)
    expect(output).not.toMatch(/"error":"/)
  },
  limitMs + 10_000,
)
