import { addressCodec, displayContract, tokenContract } from '../chains/codecs.ts'
import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import type { BalanceReader, TokenBalance } from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { formatUnits } from '../money/amount.ts'
import { invalidBody } from '../platform/errors.ts'

/**
 * Reads the balances of an address: the native coin, and the requested tokens or all known ones.
 * @param address normal form
 * @throws ApiError 400 naming `tokenAddresses`; 503 `chain_unavailable`
 */
export async function readBalance(
  { balances }: { balances: BalanceReader },
  chain: ConfiguredChain,
  address: string,
  tokenAddresses: readonly string[] | null,
) {
  const contracts = tokenAddresses === null ? knownContracts(chain) : readContracts(chain, tokenAddresses)
  const read = await balances.balances(address, contracts).catch((error) => {
    throw asUnavailable(chain.name, error)
  })
  const { symbol, decimals } = chain.native
  return {
    chain: chain.name,
    address: addressCodec(chain.family).display(address),
    balances: {
      native: { symbol, balance: formatUnits(read.native, decimals), decimals },
      tokens: read.tokens.map((token) => present(chain, token)),
    },
    lastUpdated: new Date().toISOString(),
  }
}

const knownContracts = (chain: ConfiguredChain) =>
  assetsOf(chain).flatMap(({ contract }) => (contract === null ? [] : [contract]))

/** @throws ApiError 400 naming each entry that is not a token's address */
function readContracts(chain: ConfiguredChain, texts: readonly string[]): string[] {
  const contracts = texts.map((text) => tokenContract(chain.family, text))
  const wrong = contracts.flatMap((contract, i) =>
    contract === null
      ? [
          {
            field: `tokenAddresses.${i}`,
            message: `is not a valid token address on ${chain.name}`,
            code: 'invalid_address' as const,
          },
        ]
      : [],
  )
  if (wrong.length > 0) throw invalidBody(...wrong)
  return [...new Set(contracts.filter((contract) => contract !== null))]
}

function present(chain: ConfiguredChain, token: TokenBalance) {
  // The registry's symbol and decimals take precedence over the contract's.
  const known = assetsOf(chain).find(({ contract }) => contract === token.contract)
  const decimals = token.decimals ?? known?.decimals ?? null
  const problem = known && token.problem === 'bad_symbol' ? null : token.problem
  const { sendable } = token
  return {
    address: displayContract(chain.family, token.contract),
    symbol: known?.symbol ?? token.symbol,
    balance: token.balance === null || decimals === null ? null : formatUnits(token.balance, decimals),
    decimals,
    ...(token.balance !== null && { baseUnits: token.balance.toString() }),
    ...(sendable !== undefined && decimals !== null && { sendable: formatUnits(sendable, decimals) }),
    ...(problem !== null && { problem }),
  }
}
