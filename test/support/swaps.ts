import { type Address, erc20Abi } from 'viem'
import { addressCodec } from '../../src/chains/codecs.ts'
import { allowanceHolder } from '../devnets/evm.ts'
import { fund, type Holdings, newPayer, type Payer } from './payers.ts'
import type { ApiAnswer, Stack } from './stack.ts'
import { waitFor } from './waitFor.ts'

/** A swap as the API shows it. */
export interface SwapBody {
  id: string
  status: 'pending' | 'confirmed' | 'failed' | 'expired'
  success: boolean
  txHash: string | null
  approvalTxHash: string | null
  steps: { type: 'reset_allowance' | 'approve' | 'swap'; status: SwapBody['status']; txHash: string | null }[]
  buyAmount: string
  minBuyAmount: string
  amountReceived?: string
  allowanceLeft: string | null
  reason: string | null
  [field: string]: unknown
}

export interface Refusal {
  error: string
  message: string
  fields?: { field: string; message: string }[]
}

/** USDC to USDT on the first EVM chain, with the key of a payer. */
export const swapBody = (stack: Stack, payer: Payer, more: object = {}) => ({
  chain: stack.chain,
  sellToken: stack.devnet.usdc,
  buyToken: stack.devnet.usdt ?? '',
  amount: '100',
  privateKey: payer.privateKey,
  ...more,
})

export const execute = <T = SwapBody>(
  stack: Stack,
  payer: Payer,
  more: object = {},
  key?: string,
): Promise<ApiAnswer<T>> =>
  stack.api<T>(
    'POST',
    '/crypto/swaps/execute',
    swapBody(stack, payer, more),
    key === undefined ? {} : { 'idempotency-key': key },
  )

export const swapOf = async (stack: Stack, name: string): Promise<SwapBody> =>
  (await stack.api<SwapBody>('GET', `/crypto/swaps/${name}`)).body

/** A new sender on the first chain. */
export async function newSwapper(
  stack: Stack,
  holdings: Holdings = { native: '10', USDC: '1000' },
): Promise<Payer> {
  const payer = newPayer(stack.chain)
  await fund(stack, payer, holdings)
  return payer
}

/** Mines until a swap has ended for good, with its approvals. */
export async function swapEnds(stack: Stack, id: string, withinMs = 60_000): Promise<SwapBody> {
  return waitFor(
    `the end of swap ${id}`,
    async () => {
      await stack.mine(1)
      const [open] = await stack.db.query(
        `select 1 from swaps s join intents i on i.id = s.id or i.id = any(s.approvals)
         where s.id = $1 and i.status not in ('confirmed', 'failed', 'expired')`,
        [id],
      )
      return open ? null : swapOf(stack, id)
    },
    withinMs,
  )
}

/** Base units by the node itself. */
export const heldOf = (stack: Stack, token: string, owner: string): Promise<bigint> =>
  stack.client().readContract({
    address: token as Address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner as Address],
  })

export const allowedOf = (stack: Stack, token: string, owner: string): Promise<bigint> =>
  stack.client().readContract({
    address: token as Address,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner as Address, allowanceHolder],
  })

/** Rows of the intents of a sender. */
export const intentsOf = (stack: Stack, { address }: Payer) =>
  stack.db.query<{ id: string; purpose: string; status: string; reason: string | null }>(
    'select id, purpose, status, reason from intents where from_address = $1 order by id',
    [addressCodec('evm').normalise(address)],
  )
