import { createProviders } from '../../../src/chains/providers/providers.ts'
import { openRest } from '../../../src/chains/providers/rest.ts'
import { tronBlockReader } from '../../../src/chains/tron/blockReader.ts'
import {
  startRecordedTron,
  type TronRecording,
  tronTokenBlock,
  wholeTronBlock,
} from '../../support/recordedTron.ts'
import { gate, observe } from './configured.ts'
import { endpoint, names, readsOf, type Subject } from './subject.ts'
import { withOtherTronBytes } from './variants.ts'

async function subjectOf(recording: TronRecording): Promise<Subject> {
  const small = { ...recording, transactions: recording.transactions?.slice(0, 6) ?? [] }
  const node = await startRecordedTron([small], { withLogs: true, withInternals: true })
  const rest = openRest(node.url, 10_000, gate, 'recorded')
  const height = recording.block_header.raw_data.number
  const answered = new Map<string, unknown>()
  for (const path of [
    '/wallet/getblockbynum',
    '/wallet/gettransactioninfobyblocknum',
    '/wallet/getnowblock',
    '/walletsolidity/getnowblock',
  ])
    answered.set(path, await rest.post(path, { num: height }))
  await rest.close()
  await node.close()
  answered.set('/wallet/gettransactionbyid', small.transactions[0])
  answered.set(
    '/wallet/gettransactioninfobyid',
    (answered.get('/wallet/gettransactioninfobyblocknum') as unknown[])[0],
  )
  return {
    name: `tron ${height}`,
    open: (nodes) =>
      tronBlockReader({
        providers: createProviders(
          nodes.map((each, index) => (counted) => endpoint(names[index] ?? '', counted, each)),
          { observe },
        ),
      }),
    truth: (method) => answered.get(method) ?? null,
    variant: withOtherTronBytes,
    reads: readsOf(height, [small.transactions[0]?.txID ?? '']),
  }
}

export const tronSubjects = (): Promise<Subject[]> =>
  Promise.all([wholeTronBlock(), tronTokenBlock()].map(subjectOf))
