import { Networks } from '@stellar/stellar-sdk/base'
import { startServer } from './httpServer.ts'
import type { StellarLedger } from './recordedStellar.ts'

/** A ledger with Horizon's answers about its operations. */
export interface HorizonLedger extends StellarLedger {
  effects?: readonly object[]
  operations?: readonly object[]
}

export interface RecordedHorizon {
  url: string
  /** Answered in place of the ledger of its height. Null: Horizon is honest. */
  replacement: HorizonLedger | null
  close(): Promise<void>
}

/** Ledgers as a Horizon answers them (Stellar docs, "Horizon API"). A page always contains everything. */
export async function startRecordedHorizon(ledgers: readonly HorizonLedger[]): Promise<RecordedHorizon> {
  const server = await startServer((response, { url }) => {
    server.heard.length = 0
    const { pathname } = new URL(url, server.url)
    const [, sequence, what = ''] = /^\/ledgers\/(\d+)\/?(\w*)$/.exec(pathname) ?? []
    const ledger = horizon.replacement ?? ledgers.find(({ header }) => header.ledgerSeq === Number(sequence))
    const ofLedger = sequence && ledger ? answerOf(ledger, what) : null
    const answer = pathname === '/' ? { network_passphrase: Networks.PUBLIC } : ofLedger
    response
      .writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? { status: 404 }))
  })
  const horizon: RecordedHorizon = { url: server.url, replacement: null, close: () => server.close() }
  return horizon
}

function answerOf(ledger: HorizonLedger, what: string): object | null {
  if (what === '') return { sequence: ledger.header.ledgerSeq, header_xdr: ledger.header.toXDR('base64') }
  if (what === 'effects') return page(ledger.effects ?? [])
  if (what === 'operations') return page(ledger.operations ?? [])
  return what === 'transactions' ? page(transactionsOf(ledger)) : null
}

const page = (records: readonly object[]) => ({
  _embedded: { records: records.map((each, index) => ({ paging_token: `${index}`, ...each })) },
})

const transactionsOf = ({ header, transactions }: StellarLedger) =>
  transactions.map((each) => ({
    hash: each.txHash,
    ledger: header.ledgerSeq,
    envelope_xdr: each.envelopeXdr,
    result_xdr: each.resultXdr,
    result_meta_xdr: 'resultMetaXdr' in each ? each.resultMetaXdr : null,
  }))
