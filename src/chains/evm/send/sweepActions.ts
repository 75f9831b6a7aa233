import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { Action, Call, CallsSpec, Flow, Token } from '../../action.ts'
import type { Authorization, FixedPrice, SweepActions, SweepItem, SweptChain } from '../../sweeping.ts'
import { multicall3Abi } from '../abis.ts'
import { multicallAddress } from '../multicall.ts'
import {
  authorizationDigest,
  type Domain,
  signDigest,
  transferWithAuthorizationCall,
} from './authorization.ts'

/** About 65,000 gas each: far below the limit of a block. */
const maxItems = 20

/**
 * Circle's USDC moves by EIP-3009 from the treasury, several in one transaction; every other token, and the
 * native coin, by a transfer of the address, which needs gas there.
 */
export function evmSweepActions(chain: SweptChain): SweepActions {
  const domainOf = ({ contract }: Pick<Token, 'contract'>): Domain | null => domainOfToken(chain, contract)
  return {
    payer: (token) => (token && domainOf(token) ? 'treasury' : 'deposit'),
    maxItems,
    action(items, treasury, price) {
      const [first, ...more] = items
      if (!first) throw new Error('a sweep moves something')
      if (first.authorization) return authorized(items, treasury)
      if (more.length > 0) throw new Error('addresses that pay their own fees are swept one by one')
      return transferOf(first, treasury, price)
    },
    authorizing: {
      needs: (token) => domainOf(token) !== null,
      sign({ address, token, amount }, treasury, of, key) {
        const domain = domainOf(token)
        if (!domain) throw new Error(`${token.symbol} of ${chain.name} takes no authorizations`)
        return signDigest(authorizationDigest(domain, { from: address, to: treasury, amount }, of), key)
      },
    },
  }
}

/** The EIP-712 domain of a token as the registry has it; null for one without EIP-3009. */
export function domainOfToken(
  chain: Pick<SweptChain, 'network' | 'tokens'>,
  contract: string,
): Domain | null {
  const authorized = chain.tokens.find((each) => each.contract === contract)?.authorized
  return authorized ? { ...authorized, chainId: BigInt(chain.network), contract } : null
}

/** Only the native coin has a fixed price: a token's address keeps what the fee leaves. */
const transferOf = (
  { address, token, amount }: SweepItem,
  to: string,
  { gasPrice, gasLimit }: FixedPrice,
): Action => ({
  kind: 'transfer',
  from: address,
  to,
  token,
  amount,
  memo: null,
  gasPrice: token ? null : gasPrice,
  gasLimit: token ? null : gasLimit,
})

/**
 * One call of the token, or one of Multicall3: all move or nothing does, so that what is booked has moved.
 */
function authorized(items: readonly SweepItem[], treasury: string): CallsSpec {
  const moves = items.map(({ address, token, amount, authorization }) => {
    if (!token || !authorization) throw new Error('one transaction carries authorizations alone')
    return { token, flow: { address, token, amount }, data: callOf(address, treasury, amount, authorization) }
  })
  const [only] = moves
  const calls: Call[] =
    moves.length === 1 && only
      ? [{ to: only.token.contract, data: only.data, value: 0n, accounts: [] }]
      : [
          {
            to: multicallAddress,
            data: aggregated(moves.map(({ token, data }) => ({ to: token.contract, data }))),
            value: 0n,
            accounts: [],
          },
        ]
  const spends: Flow[] = moves.map(({ flow }) => flow)
  return {
    kind: 'calls',
    from: treasury,
    calls,
    cosigners: [],
    spends,
    receives: spends.map((flow) => ({ ...flow, address: treasury })),
    gasPrice: null,
    gasLimit: null,
  }
}

const callOf = (from: string, to: string, amount: bigint, of: Authorization) =>
  transferWithAuthorizationCall({ from, to, amount }, of)

const aggregated = (calls: readonly { to: string; data: `0x${string}` }[]) =>
  encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to as Address, allowFailure: false, callData: data }))],
  })
