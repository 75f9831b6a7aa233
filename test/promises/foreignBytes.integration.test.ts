import { expect, test } from '@jest/globals'
import { ProviderError } from '../../src/chains/chain.ts'
import { openJsonRpc } from '../../src/chains/providers/jsonRpc.ts'
import { openRest } from '../../src/chains/providers/rest.ts'
import { howMany } from '../support/full.ts'
import { startServer } from '../support/httpServer.ts'
import { createRandom, mutated, mutatedBytes, type Random } from './foreignBytes/mutate.ts'
import { run, tableOf } from './foreignBytes/run.ts'
import { subjects } from './foreignBytes/subjects.ts'
import { print } from './readRecorded.ts'

/** Repeats one input: FOREIGN_BYTES_SEED=… npm test -- test/promises/foreignBytes */
const given = process.env.FOREIGN_BYTES_SEED

const firstSeed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)

test('on any answer of a node, a reader goes on or reports which block it cannot read', async () => {
  const report = await run(await subjects(), {
    firstSeed,
    inputs: given === undefined ? howMany(5000, 200_000) : 1,
    maxFailures: 10,
  })
  print(tableOf(report))
  expect(report.failures).toEqual([])
}, 1_200_000)

/** The text of an answer, with changes of its values or of its bytes. */
function changedText(answer: unknown, random: Random): string {
  const text = JSON.stringify(random.chance(0.6) ? mutated(answer, random) : answer) ?? ''
  if (random.chance(0.6)) return text
  return random.of([
    () => text.slice(0, random.below(text.length + 1)),
    () => Buffer.from(mutatedBytes(Buffer.from(text), random)).toString('latin1'),
    () => '['.repeat(100_000),
    () => `${'['.repeat(5000)}${']'.repeat(5000)}`,
    () => '',
    () => 'null',
  ])()
}

test('with any text in place of a JSON answer, the call fails as a failure of its provider, or has a result', async () => {
  let random = createRandom(0)
  const server = await startServer((response, { body }) => {
    server.heard.length = 0
    const { id } = JSON.parse(body) as { id?: number }
    const answer = random.of([
      { jsonrpc: '2.0', id, result: { number: '0x1' } },
      { jsonrpc: '2.0', id, error: { code: -32000, message: 'block not found' } },
      [{ jsonrpc: '2.0', id, result: [] }],
    ])
    response.writeHead(random.of([200, 200, 200, 429, 500, 403])).end(changedText(answer, random))
  })
  const gate = <T>(_method: string, request: () => Promise<T>) => request()
  const [rpc, rest] = [openJsonRpc(server.url, 5000, gate), openRest(server.url, 5000, gate, 'rest')]
  try {
    for (let seed = firstSeed; seed < firstSeed + (given === undefined ? howMany(300, 5000) : 1); seed++) {
      random = createRandom(seed)
      for (const ask of [
        () => rpc.call('eth_getBlockByNumber', ['0x1', false]),
        () => rest.post('/wallet/getnowblock', {}),
      ]) {
        const failure: unknown = await ask().then(
          () => null,
          (error: unknown) => error,
        )
        if (failure !== null && !(failure instanceof ProviderError))
          throw new Error(`seed ${seed}: ${failure}`, { cause: failure })
      }
    }
  } finally {
    await Promise.all([rpc.close(), rest.close(), server.close()])
  }
})
