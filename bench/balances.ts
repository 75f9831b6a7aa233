import { Pool } from 'undici'
import type { ChainName } from '../src/chains/registry.ts'
import { putMulticall } from '../test/support/answeringContract.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'wallets'
const rounds = 15
const warmUp = 3
const callsPerRound = 40
/** Deployed at this address on all six chains (mds1/multicall3). */
const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'

interface Contender {
  chain: ChainName
  address: string
  node: string
  /** The one call that cannot be avoided: the native balance of the address. */
  bare: { path: string; body: object }
}

/**
 * Balance of an address with all its tokens through the API, compared with one bare round trip to the same
 * node.
 */
export async function benchBalances(scope: Scope): Promise<Report> {
  const stack = scope.keep(
    await createStack({
      chains: ['ethereum', 'solana', 'tron', 'stellar'],
      processes: ['api'],
      env: asInProduction(),
    }),
    (each) => each.close(),
  )
  await putMulticall(stack.devnet.rpcUrl, multicallAddress)
  await stack.mine()
  const contenders = contendersOf(stack)
  const report: Report = {
    figures: [],
    notes: [
      `balances: native coin and all known tokens through POST /crypto/wallets/balance, one client, ${callsPerRound} sequential calls a round; the limit queries the same devnet for the native balance alone. Milliseconds a call; ratios are of times. The API adds HTTP, validation of request and answer, and the key lookup.`,
    ],
  }
  for (const contender of contenders) report.figures.push(...(await measure(scope, stack, contender)))
  return report
}

function contendersOf(stack: Stack): Contender[] {
  const rpc = (url: string, method: string, params: unknown) => ({
    path: new URL(url).pathname,
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  const [solana, tron, stellar] = [stack.other('solana'), stack.other('tron'), stack.other('stellar')]
  const holder = {
    ethereum: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    solana: solana.usdc,
    tron: tron.usdt,
    stellar: stellar.usdc.split(':')[1] ?? '',
  }
  return [
    {
      chain: 'ethereum',
      address: holder.ethereum,
      node: stack.devnet.rpcUrl,
      bare: rpc(stack.devnet.rpcUrl, 'eth_getBalance', [holder.ethereum, 'latest']),
    },
    {
      chain: 'solana',
      address: holder.solana,
      node: solana.rpcUrl,
      bare: rpc(solana.rpcUrl, 'getBalance', [holder.solana]),
    },
    {
      chain: 'tron',
      address: holder.tron,
      node: tron.rpcUrl,
      bare: { path: '/wallet/getaccount', body: { address: holder.tron, visible: true } },
    },
    {
      chain: 'stellar',
      address: holder.stellar,
      node: stellar.rpcUrl,
      bare: rpc(stellar.rpcUrl, 'getLatestLedger', {}),
    },
  ]
}

async function measure(
  scope: Scope,
  stack: Stack,
  { chain, address, node, bare }: Contender,
): Promise<Report['figures']> {
  const open = (url: string) =>
    scope.keep(new Pool(new URL(url).origin, { connections: 1 }), (pool) => pool.close())
  const [direct, api] = [open(node), open(`http://127.0.0.1:${stack.processes.get('api')?.port()}`)]
  const waits: number[] = []
  const series = await interleave(`${bench}, balance on ${chain}`, { rounds, warmUp }, async (index) => {
    const limit = await calls(direct, bare.path, bare.body, {})
    const product = await calls(
      api,
      '/api/v1/crypto/wallets/balance',
      { chain, address },
      { 'x-api-key': stack.apiKey },
    )
    if (index >= 0) waits.push(...product)
    return { limit: spread(limit).median, product: spread(product).median }
  })
  return [
    figure(bench, `${chain}: one bare round trip to the node`, spread(series.limit), 'ms', { ratio: 1 }),
    figure(bench, `${chain}: POST /crypto/wallets/balance, all tokens`, spread(series.product), 'ms', {
      extra: `p99 ${digits(quantile(waits, 0.99))} ms`,
      ratio: ratio(series.product, series.limit),
    }),
  ]
}

/** Milliseconds of each call. */
async function calls(
  pool: Pool,
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<number[]> {
  const waits: number[] = []
  for (let i = 0; i < callsPerRound; i++) {
    const started = performance.now()
    const response = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.body.text()
    if (response.statusCode !== 200)
      throw new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 300)}`)
    waits.push(performance.now() - started)
  }
  return waits
}
