import { describe, expect, test } from '@jest/globals'
import { Keypair, PublicKey } from '@solana/web3.js'
import { devnetKeys } from '../../../test/devnets/solana/keys.ts'
import { hostileBuild, type Spoiled } from '../../../test/partners/hostileBuilds.ts'
import { routeInstructions } from '../../../test/partners/jupiterRoute.ts'
import { wrappedSol } from '../../swaps/coins.ts'
import type { PriceAnswer, SwapQuestion } from '../../swaps/provider.ts'
import type { BuiltInstructions } from './build.ts'
import { checkRoute } from './checkRoute.ts'
import { checkSurroundings } from './checkSurroundings.ts'
import { tokenProgram } from './programs.ts'
import { accountsOf, destinationOf } from './swapAccounts.ts'

/** Each check alone, without the trial run that would find most of it, too. */

const [usdc, usdt] = [devnetKeys.usdc, devnetKeys.usdt].map(({ publicKey }) => publicKey.toBase58()) as [
  string,
  string,
]
const keyOf = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte)).publicKey
const [owner, recipient, thief, savings] = [1, 2, 3, 4].map(keyOf) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]

const pairs: Record<Spoiled, { sellToken: string; buyToken: string; to?: string }> = {
  tokens: { sellToken: usdc, buyToken: usdt },
  sellsSol: { sellToken: wrappedSol, buyToken: usdc },
  buysSol: { sellToken: usdc, buyToken: wrappedSol },
  gift: { sellToken: usdc, buyToken: wrappedSol, to: recipient.toBase58() },
}
const questionOf = (swap: Spoiled): SwapQuestion => {
  const from = owner.toBase58()
  return { network: 'devnet', sellAmount: 100_000_000n, slippageBps: 50, from, to: from, ...pairs[swap] }
}
const mintOf = (contract: string) =>
  contract === wrappedSol
    ? null
    : { contract, symbol: 'T', decimals: 6, program: tokenProgram, takesFee: false }

/** What is wrong with an answer; null: nothing. */
function check(swap: Spoiled, change: (answer: Record<string, unknown>) => object): string | null {
  const question = questionOf(swap)
  const accounts = accountsOf(question, { sell: mintOf(question.sellToken), buy: mintOf(question.buyToken) })
  const { destinationTokenAccount, nativeDestinationAccount } = { ...destinationOf(accounts) } as Record<
    string,
    string | undefined
  >
  const [account, wallet] = [destinationTokenAccount, nativeDestinationAccount].map((each) =>
    each === undefined ? null : new PublicKey(each),
  )
  const answer = routeInstructions({
    ...{ sold: new PublicKey(question.sellToken), bought: new PublicKey(question.buyToken), taker: owner },
    ...{ amount: question.sellAmount, quoted: 99_700_000n, slippageBps: 50 },
    ...{ destinationTokenAccount: account ?? null, nativeDestinationAccount: wallet ?? null },
  })
  const built = change(answer) as BuiltInstructions
  try {
    checkRoute(question, accounts, { buyAmount: 99_700_000n } as PriceAnswer, built.swapInstruction)
    checkSurroundings(accounts, question.sellAmount, built)
    return null
  } catch (error) {
    return (error as Error).message.split(': ').at(-1) ?? ''
  }
}

test.each<Spoiled>(['tokens', 'sellsSol', 'buysSol', 'gift'])('an honest answer is taken: %s', (swap) => {
  expect(check(swap, (answer) => answer)).toBeNull()
})

describe('an answer is unsafe with', () => {
  test.each<[string, Spoiled, string]>([
    ['a counterfeit program', 'tokens', 'the program'],
    ['a second signer', 'tokens', 'a second signer'],
    ['another instruction of the program', 'tokens', 'the instruction of the swap'],
    ['cut arguments', 'tokens', 'the arguments of the swap'],
    ['another signer of events', 'tokens', 'the accounts of the program'],
    ['a larger amount', 'tokens', 'the amount of the swap'],
    ['a low quote', 'tokens', 'the quote of the swap'],
    ['more slippage', 'tokens', 'the slippage of the swap'],
    ['a platform fee', 'tokens', 'a platform fee'],
    ['a fee on better prices', 'tokens', 'a platform fee'],
    ['another source', 'tokens', 'the account that is sold from'],
    ['another token to sell', 'tokens', 'the sold token of the swap'],
    ['another token to buy', 'tokens', 'the bought token of the swap'],
    ['another recipient', 'tokens', 'the recipient'],
    ['another recipient of tokens for SOL', 'sellsSol', 'the recipient'],
    ['a further recipient', 'sellsSol', 'the recipient'],
    ['another recipient of SOL', 'gift', 'the recipient'],
    ['SOL for the sender instead of the recipient', 'gift', 'the recipient'],
    ['an extra transfer', 'tokens', 'the setup'],
    ['more SOL wrapped', 'sellsSol', 'the setup'],
    ['instructions in another order', 'buysSol', 'the setup'],
    ['an account for another owner', 'tokens', 'the setup'],
    ['another account than the associated one', 'tokens', 'the setup'],
    ['an account of another program', 'tokens', 'the setup'],
    ['an account of the recipient for another token', 'gift', 'the setup'],
    ['accounts that the swap does not need', 'tokens', 'accounts that the swap does not need'],
    ['more accounts than a route needs', 'tokens', 'accounts that the swap does not need'],
    ['another instruction', 'tokens', 'another instruction'],
    ['a tip', 'tokens', 'a tip'],
    ['a budget of another program', 'tokens', 'the compute budget'],
    ['a cleanup that pays', 'tokens', 'the cleanup'],
    ['unwrapping to another', 'buysSol', 'the cleanup'],
  ])('%s', (name, swap, what) => {
    expect(check(swap, hostileBuild(name, { owner, thief, savings, lent: savings, multisig: savings }))).toBe(
      what,
    )
  })

  test.each([0, 7, 11])('only %d accounts', (count) => {
    const cut = (answer: Record<string, unknown>) => {
      const { swapInstruction: swap } = answer as BuiltInstructions
      return { ...answer, swapInstruction: { ...swap, accounts: swap.accounts.slice(0, count) } }
    }
    expect(check('tokens', cut)).toBe('the accounts of the swap')
  })

  test('another payer, who does not sign', () => {
    const unsigned = (answer: Record<string, unknown>) => {
      const { swapInstruction: swap } = answer as BuiltInstructions
      const accounts = swap.accounts.map((each, index) =>
        index === 1 ? { ...each, pubkey: thief.toBase58(), isSigner: false } : each,
      )
      return { ...answer, swapInstruction: { ...swap, accounts } }
    }
    expect(check('tokens', unsigned)).toBe('the account that pays')
  })
})
