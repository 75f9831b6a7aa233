import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Secret } from '../src/platform/secrets.ts'

/**
 * Reads a phrase from a file, or from standard input: at a terminal without showing it. Never an argument,
 * which every process can read.
 */
export async function readPhrase(file: string | undefined): Promise<Secret> {
  if (file !== undefined) return new Secret(readFileSync(file, 'utf8'))
  if (!process.stdin.isTTY) {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return new Secret(Buffer.concat(chunks).toString())
  }
  process.stderr.write('The words of the phrase, on one line (they are not shown): ')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  try {
    return new Secret(await terminal.question(''))
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
