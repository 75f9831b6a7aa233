import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { commandArguments } from '../scripts/local/nodeArguments.ts'
import { type StellarDevnet, startStellarDevnet, stellarDevnetEnv } from '../test/devnets/stellar.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { documentedUrl } from '../test/support/operatorCommands.ts'

/** The operator's command, as npm runs it. */

let devnet: StellarDevnet
let database: TestDatabase
let env: Record<string, string>

beforeAll(async () => {
  ;[devnet, database] = await Promise.all([startStellarDevnet({ blockMs: 100 }), createTestDatabase()])
  // A deployment of its own, with its own seed.
  await database.db.query('delete from seeds')
  env = {
    DATABASE_URL: documentedUrl('commands/openAccount.ts', database.url),
    SEED_KEY: randomBytes(32).toString('base64'),
    ...stellarDevnetEnv(devnet),
  }
})
afterAll(async () => {
  await devnet?.stop()
  await database?.drop()
})

interface Ended {
  code: number
  said: string
}

const run = (args: readonly string[], given: Record<string, string> = env): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...given } }
    execFile(
      process.execPath,
      [...commandArguments, 'open-account', ...args],
      options,
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    )
  })

describe('opening the account', () => {
  test.each([[[]], [['stellar', 'twice']], [['stellar', 'staking', 'twice']]])(
    'with the arguments %j says how it is used',
    async (args) => {
      expect(await run(args)).toEqual({
        code: 2,
        said: expect.stringContaining('Usage: cowry open-account stellar\n'),
      })
    },
  )

  test('without a node names the variable for one', async () => {
    const { STELLAR_RPC_URLS: _, ...without } = env
    expect(await run(['stellar'], without)).toEqual({ code: 2, said: 'STELLAR_RPC_URLS names no node\n' })
  })

  test('reports what to send where; once that is there, which tokens are taken; and after that, that they are', async () => {
    const first = await run(['stellar'])
    expect([first.code, first.said]).toEqual([1, expect.stringContaining('It needs 2.002 XLM more')])
    const account = /come to: (G[A-Z2-7]{55})$/m.exec(first.said)?.[1] ?? ''
    // Friendbot makes it with plenty.
    expect((await fetch(`${devnet.friendbotUrl}?addr=${account}`)).ok).toBe(true)
    expect(await run(['stellar'])).toEqual({
      code: 0,
      said: `The account that deposits come to: ${account}\n  takes ${devnet.usdc} from now on\n  takes ${devnet.usdt} from now on\n`,
    })
    expect(await run(['stellar'])).toEqual({
      code: 0,
      said: `The account that deposits come to: ${account}\n  takes ${devnet.usdc}\n  takes ${devnet.usdt}\n`,
    })
  })
})
