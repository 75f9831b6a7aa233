import { createHmac } from 'node:crypto'
import pg from 'pg'
import { parseUnits } from 'viem'
import type { ChainName } from '../../src/chains/registry.ts'
import {
  receivedOnEvm,
  receivedOnSolana,
  receivedOnStellar,
  receivedOnTron,
} from '../../test/devnets/customers/received.ts'

export interface PaidDevnet {
  rpcUrl: string
  usdc?: string
  usdt?: string
  decimals: number
  /** Stellar only. */
  horizonUrl?: string
}

/** A payout as the API shows it. */
export interface ShownPayout {
  id: string
  status: string
  reason: string | null
  amount: string
  source: { chain: ChainName; token: string }
  destination: {
    kind: 'bank' | 'wallet'
    chain: ChainName | null
    address: string | null
    bankName: string | null
    accountNumber: string | null
  }
  fee: string | null
  feeCurrency: string
  receiveAmount: string | null
  receiveCurrency: string
  txHash: string | null
  partnerPaymentId: string | null
}

export interface PartnerAccess {
  url: string
  apiKey: string
  secretKey: string
}

/** What a payout is compared with. */
export interface Evidence {
  databaseUrl: string
  devnets: Partial<Record<ChainName, PaidDevnet>>
  /** Undefined: the operator's own partner, which the demo does not query. */
  partner: PartnerAccess | undefined
}

export const placeOf = ({
  destination: { kind, chain, address, bankName, accountNumber },
}: ShownPayout): string =>
  kind === 'bank' ? `${bankName}, account ${accountNumber}` : `${address} on ${chain}`

interface Line {
  name: string
  asset: string
  amount: string
}

const kept = ['fees', 'fx_margin', 'rounding']

/**
 * Compares a completed payout with the books, and with the chain or the partner, to the last unit.
 * @returns what was found equal
 * @throws Error that names what differs
 */
export async function comparePayout(payout: ShownPayout, evidence: Evidence): Promise<string> {
  const lines = await booked(evidence.databaseUrl, payout.id)
  const { chain, token } = payout.source
  const source = evidence.devnets[chain]
  if (!source) throw new Error(`no devnet of ${chain}`)
  for (const [asset, all] of Map.groupBy(lines, (line) => line.asset))
    mustEqual(`the sum of the books in ${asset}`, total(all), 0n)
  const amount = parseUnits(payout.amount, source.decimals)
  mustEqual('the amount in the books', total(lines.filter(({ name }) => name === 'payouts_held')), amount)
  const asset = `${chain}:${token}`
  const parts = lines.filter((line) => line.asset === asset && line.name !== 'payouts_held')
  mustEqual('the parts in the books', -total(parts), amount)
  const principal = -total(parts.filter(({ name }) => !kept.includes(name)))
  const { destination, receiveAmount, receiveCurrency } = payout
  if (receiveAmount === null) throw new Error('the payout does not have its amount')
  if (destination.kind === 'bank') await compareWithPartner(payout, receiveAmount, evidence.partner)
  else await compareWithChain(payout, receiveAmount, lines, evidence.devnets)
  return `the books and ${destination.kind === 'bank' ? 'the partner' : 'the chain'} agree: ${receiveAmount} ${receiveCurrency} for ${principal} of ${amount} base units of ${token}`
}

async function compareWithChain(
  payout: ShownPayout,
  receiveAmount: string,
  lines: readonly Line[],
  devnets: Evidence['devnets'],
): Promise<void> {
  const { destination, txHash, receiveCurrency } = payout
  const { chain, address } = destination
  const devnet = chain === null ? undefined : devnets[chain]
  const token = receiveCurrency === 'USDC' ? devnet?.usdc : devnet?.usdt
  if (!devnet || !token || chain === null || address === null || txHash === null)
    throw new Error('the payout names no transaction')
  const received = parseUnits(receiveAmount, devnet.decimals)
  const holders = [`treasury:${chain}`, `deposits:${chain}`]
  mustEqual(
    'what left the treasury in the books',
    -total(lines.filter(({ name }) => holders.includes(name))),
    received,
  )
  mustEqual('what arrived on the chain', await arrived(chain, devnet, { txHash, address, token }), received)
}

/** What a transaction brought to an address, read by the chain's own library. */
export function arrived(
  chain: ChainName,
  devnet: PaidDevnet,
  of: { txHash: string; address: string; token: string },
): Promise<bigint> {
  if (chain === 'solana') return receivedOnSolana(devnet.rpcUrl, of)
  if (chain === 'tron') return receivedOnTron(devnet.rpcUrl, of)
  if (chain === 'stellar') return receivedOnStellar(devnet.horizonUrl ?? devnet.rpcUrl, of)
  return receivedOnEvm(devnet.rpcUrl, of)
}

/** Amounts are read from the text of the answer: a number of JSON is not exact. */
async function compareWithPartner(
  { id, partnerPaymentId }: ShownPayout,
  receiveAmount: string,
  partner: PartnerAccess | undefined,
): Promise<void> {
  if (!partner) return
  if (partnerPaymentId === null) throw new Error('the payout names no payment of the partner')
  const path = `/business/payments/${partnerPaymentId}`
  const timestamp = new Date().toISOString()
  const signature = createHmac('sha256', partner.secretKey).update(`${timestamp}${path}GET`).digest('base64')
  const headers = { 'x-yc-timestamp': timestamp, authorization: `YcHmacV1 ${partner.apiKey}:${signature}` }
  const answer = await fetch(`${partner.url}${path}`, { headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the partner answered ${answer.status}: ${text}`)
  const [, local = 'nothing'] = /"convertedAmount":\s*([0-9]+)(?:\.0+)?[,}]/.exec(text) ?? []
  if (local !== receiveAmount) throw new Error(`the partner pays ${local} instead of ${receiveAmount}`)
  if (!text.includes(`"sequenceId":"${id}"`)) throw new Error("the partner's payment is of another payout")
}

async function booked(databaseUrl: string, payoutId: string): Promise<Line[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Line>(
      `select a.name, p.asset, p.amount::text as amount
       from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
       where e.reference = $1 and e.cause_kind = 'payout' and e.kind = 'payout.posted'`,
      [payoutId],
    )
    return rows
  } finally {
    await client.end()
  }
}

const total = (lines: readonly Line[]): bigint => lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

export function mustEqual(what: string, found: bigint, expected: bigint): void {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`)
}
