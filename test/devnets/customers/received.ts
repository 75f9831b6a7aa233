import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { Connection } from '@solana/web3.js'
import { TronWeb } from 'tronweb'
import { createPublicClient, type Hex, http, parseAbi, parseEventLogs, parseUnits } from 'viem'

/** What a transaction brought to an address, in base units of a token; read with the chain's own library. */
interface Arrival {
  txHash: string
  address: string
  /** The token's contract, mint, or `CODE:ISSUER`. */
  token: string
}

export async function receivedOnEvm(rpcUrl: string, { txHash, address, token }: Arrival): Promise<bigint> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const { logs, status } = await client.getTransactionReceipt({ hash: txHash as Hex })
  if (status !== 'success') throw new Error(`${txHash} failed`)
  const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
  return parseEventLogs({ abi, logs })
    .filter(
      (log) =>
        log.address.toLowerCase() === token.toLowerCase() &&
        log.args.to.toLowerCase() === address.toLowerCase(),
    )
    .reduce((sum, { args }) => sum + args.value, 0n)
}

export async function receivedOnSolana(rpcUrl: string, { txHash, address, token }: Arrival): Promise<bigint> {
  const transaction = await new Connection(rpcUrl, 'confirmed').getTransaction(txHash, {
    maxSupportedTransactionVersion: 0,
  })
  if (!transaction?.meta || transaction.meta.err) throw new Error(`${txHash} failed or is not there`)
  const programs = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map(String)
  const held = (balances: typeof transaction.meta.preTokenBalances) =>
    (balances ?? [])
      .filter(
        ({ owner, mint, programId }) =>
          owner === address && mint === token && (programId === undefined || programs.includes(programId)),
      )
      .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n)
  return held(transaction.meta.postTokenBalances) - held(transaction.meta.preTokenBalances)
}

const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

export async function receivedOnTron(rpcUrl: string, { txHash, address, token }: Arrival): Promise<bigint> {
  const answer = await fetch(`${rpcUrl}/wallet/gettransactioninfobyid`, {
    method: 'POST',
    body: JSON.stringify({ value: txHash }),
  })
  const { receipt, log = [] } = (await answer.json()) as {
    receipt?: { result?: string }
    log?: { address: string; topics: string[]; data: string }[]
  }
  if (receipt?.result !== 'SUCCESS') throw new Error(`${txHash} failed or is not there`)
  const hex = (text: string) => TronWeb.address.toHex(text).slice(2).toLowerCase()
  return log
    .filter(
      ({ address: of, topics }) =>
        of.slice(-40) === hex(token) && topics[0] === transferTopic && topics[2]?.slice(-40) === hex(address),
    )
    .reduce((sum, { data }) => sum + BigInt(`0x${data}`), 0n)
}

export async function receivedOnStellar(
  horizonUrl: string,
  { txHash, address, token }: Arrival,
): Promise<bigint> {
  const answer = await fetch(`${horizonUrl}/transactions/${txHash}/operations`)
  if (!answer.ok) throw new Error(`horizon: ${answer.status}`)
  const { _embedded } = (await answer.json()) as { _embedded: { records: Record<string, string>[] } }
  return _embedded.records
    .filter(
      ({ type, to, asset_code, asset_issuer }) =>
        type === 'payment' && to === address && `${asset_code}:${asset_issuer}` === token,
    )
    .reduce((sum, { amount = '0' }) => sum + parseUnits(amount, 7), 0n)
}
