import { openJsonRpc } from '../../../src/chains/providers/jsonRpc.ts'
import { createProviders } from '../../../src/chains/providers/providers.ts'
import { openRest, RestError } from '../../../src/chains/providers/rest.ts'
import { stellarBlockReader } from '../../../src/chains/stellar/blockReader.ts'
import { horizonSource } from '../../../src/chains/stellar/horizonSource.ts'
import { rpcSource } from '../../../src/chains/stellar/rpcSource.ts'
import { startRecordedHorizon } from '../../support/recordedHorizon.ts'
import { rowsOf, startRecordedStellar } from '../../support/recordedStellar.ts'
import { ledgersBy, ways as stellarWays } from '../tampering/stellarLedgers.ts'
import { configured, gate, observe } from './configured.ts'
import { endpoint, names, readsOf, type Subject } from './subject.ts'
import { withRandomMetas } from './variants.ts'

async function subjectOf(way: (typeof stellarWays)[number]): Promise<Subject> {
  const chain = configured('STELLAR')
  const ledger = ledgersBy(way).at(-1)
  if (!ledger) throw new Error('there is no ledger')
  const { header, transactions } = ledger
  const height = header.ledgerSeq
  const txId = transactions[0]?.txHash ?? ''
  const answered = new Map<string, unknown>()
  if (way.horizon) {
    const node = await startRecordedHorizon([ledger])
    const rest = openRest(node.url, 10_000, gate, 'recorded')
    for (const what of ['', '/transactions', '/effects', '/operations'])
      answered.set(`/ledgers/${height}${what}`, await rest.get(`/ledgers/${height}${what}`))
    await rest.close()
    await node.close()
    const of = (path: string) => answered.get(`/ledgers/${height}${path}`)
    answered.set('/ledgers', { _embedded: { records: [{ ...(of('') as object), paging_token: '1' }] } })
    answered.set(`/transactions/${txId}`, (of('/transactions') as HorizonPage)._embedded.records[0])
    answered.set(`/transactions/${txId}/effects`, of('/effects'))
    answered.set(`/transactions/${txId}/operations`, of('/operations'))
  } else {
    const node = await startRecordedStellar([ledger])
    const rpc = openJsonRpc(node.url, 10_000, gate)
    answered.set('getLatestLedger', await rpc.call('getLatestLedger', {}))
    answered.set('getLedgers', await rpc.call('getLedgers', { startLedger: height }))
    answered.set('getTransactions', await rpc.call('getTransactions', { startLedger: height }))
    answered.set('getTransaction', rowsOf(ledger)[0])
    await rpc.close()
    await node.close()
  }
  return {
    name: `stellar, ${way.name}`,
    open: (nodes) =>
      stellarBlockReader({
        providers: createProviders(
          nodes.map((node, index) => (counted) => {
            const made = endpoint(names[index] ?? '', counted, node)
            return way.horizon ? horizonSource(made) : rpcSource(made)
          }),
          { observe },
        ),
        rules: { network: chain.network, trusted: false },
      }),
    truth: (method) => {
      const answer = answered.get(method.split('?')[0] ?? '')
      if (answer === undefined) throw new RestError(method, 404, 'there is no such ledger')
      return answer
    },
    ...(way.name.includes('without meta') ? {} : { variant: withRandomMetas }),
    reads: readsOf(height, [txId]),
  }
}

interface HorizonPage {
  _embedded: { records: object[] }
}

export const stellarSubjects = (): Promise<Subject[]> => Promise.all(stellarWays.map(subjectOf))
