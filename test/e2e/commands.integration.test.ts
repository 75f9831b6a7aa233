import { describe, expect, test } from '@jest/globals'
import { runScript } from '../support/command.ts'

/** Commands of the operator, each with arguments that it does not understand. */
const misused: [script: string, ...args: string[]][] = [
  ['account', 'lokc', 'a@example.com'],
  ['business', 'holt'],
  ['dead-jobs', 'replya'],
  ['intent-keys', 'treasury'],
  ['keys', 'unconfirmd'],
  ['migrate', 'dwon'],
  ['open-account', 'tron'],
  ['lookup-table', 'solana'],
  ['intents', 'pasue'],
  ['fees', 'ceilling'],
  ['bridge', 'ednd'],
  ['bridge', 'end', '01a22744-c6ff-77ed-a1a2-0deb78317a13'],
  ['backup', 'chekc'],
  ['backup', 'check', '--to', '2026-11-30 01:30'],
  ['ledger', 'clsoe'],
  ['ledger', 'closes', 'x'],
  ['ledger', 'verify', '--all'],
  ['pin-images', '--help'],
  ['roll-wallet-key', '--help'],
  ['account', 'lock', 'a@example.com', '--mail'],
  ['business', '--help'],
  ['rescan', '--help'],
]

describe('a command of the operator', () => {
  test.each(misused)(
    '%s %s: prints its usage, needs no configuration for that, and does nothing',
    async (script, ...args) => {
      const { code, out, err } = await runScript(script, args)
      expect({ code, out, err }).toEqual({
        code: 2,
        out: '',
        err: expect.stringMatching(/^Usage: npm run .*\n$/),
      })
      expect(err).toContain(script)
    },
  )

  test('indexer without a chain prints its usage', async () => {
    expect(await runScript('indexer', [])).toEqual({
      code: 2,
      out: '',
      err: 'Usage: npm run indexer -- <chain>\n',
    })
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
  ])('%s: reports in one line that the database does not answer', async (script, ...args) => {
    const { code, err } = await runScript(script, args, () => ({
      DATABASE_URL: 'postgresql://cowry:cowry@127.0.0.1:1/cowry',
    }))
    expect({ code, err }).toEqual({ code: 1, err: 'connect ECONNREFUSED 127.0.0.1:1\n' })
  })
})
