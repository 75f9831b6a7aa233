import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Action, CallsSpec, Token } from '../../src/chains/action.ts'
import { signersOf } from '../../src/chains/action.ts'
import { Secret } from '../../src/platform/secrets.ts'
import type { Intent, IntentPurpose, NewIntent, OnChange } from '../../src/txmgr/intents.ts'
import type { IntentSigner } from '../../src/txmgr/signingPolicy.ts'
import { addressOf, keyOf } from './evmIntents.ts'

/**
 * A second purpose, of tests alone: the platform's calls, made by the worker and signed with keys of a signer
 * of their own.
 */

declare module '../../src/txmgr/intents.ts' {
  interface IntentPurposes {
    'test-call': true
  }
  interface IntentSigners {
    'test-key': true
  }
}

const keys: readonly Hex[] = [keyOf(6001), keyOf(6002), keyOf(6003)]
/** Holder and spender of tokens, and an address whose key the signer must not use. */
export const [holder = '', spender = '', third = ''] = keys.map(addressOf)

/** Its keys are those of holder and spender. */
export const testKeys: IntentSigner = {
  name: 'test-key',
  refusal: async (_tx, { action }) => {
    const missing = signersOf(action).find((each) => ![holder, spender].includes(each))
    return missing === undefined ? null : `${missing} has no key here`
  },
  open: async (_tx, { action }) =>
    signersOf(action).map((each) => new Secret(keys.find((key) => addressOf(key) === each) ?? '')),
}

export const testTables = `create table test_destinations (address text not null); grant select on test_destinations to public`

const noGas = { gasPrice: null, gasLimit: null }
const calling = (from: string, to: string, data: Hex) => ({
  kind: 'calls' as const,
  from,
  calls: [{ to, data, value: 0n, accounts: [] }],
  cosigners: [],
  ...noGas,
})

/** Lets the spender move tokens of the holder: nothing moves yet. */
export const approval = (token: Token, amount: bigint): CallsSpec => ({
  ...calling(
    holder,
    token.contract,
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, amount] }),
  ),
  spends: [],
  receives: [],
})

/** Moves tokens of the holder, by the spender. */
export const moving = (token: Token, amount: bigint, destination: string): CallsSpec => ({
  ...calling(
    spender,
    token.contract,
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [holder as Hex, destination as Hex, amount],
    }),
  ),
  spends: [{ address: holder, token, amount }],
  receives: [{ address: destination, token, amount }],
})

/**
 * Tokens move to the destination of `test_destinations` alone, and at most a thousand at once. The treasury
 * builds the calls by itself.
 */
export const testCallPurpose = (token: Token, onChange: OnChange = async () => {}): IntentPurpose => ({
  name: 'test-call',
  signers: ['test-key'],
  madeBy: 'worker',
  onChange,
  policy: {
    check: async (_tx, { businessId, action }) => {
      if (businessId !== null) return 'it is not of the platform'
      return amountOf(action) > 1000n ? 'it is more than a thousand' : null
    },
    action: async (tx, { action }: Intent): Promise<Action | null> => {
      const [row] = await tx.query<{ address: string }>('select address from test_destinations')
      if (!row || action.kind !== 'calls') return null
      return action.from === spender ? moving(token, amountOf(action), row.address) : approval(token, 1000n)
    },
  },
})

const amountOf = (action: Action): bigint =>
  action.kind === 'calls' ? (action.spends[0]?.amount ?? 0n) : action.amount

export const newTestCall = (chain: string, action: Action): NewIntent => ({
  businessId: null,
  purpose: 'test-call',
  chain,
  signer: 'test-key',
  walletId: null,
  action,
  symbol: null,
  decimals: null,
})
