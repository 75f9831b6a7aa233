import { ApiError } from '../platform/errors.ts'
import type { ChainAccounts } from './chainAccounts.ts'
import { normalForms } from './codecs.ts'
import type { ConfiguredChain } from './registry.ts'
import { ActionRefusedError } from './sending.ts'
import { asUnavailable } from './unavailable.ts'

export interface UnopenedContext {
  chains: readonly ConfiguredChain[]
  /** Reads accounts of a configured chain. */
  accounts(chain: string): Promise<Pick<ChainAccounts, 'requireOpened'>>
}

/**
 * Refuses a recipient that only the chain can distinguish from a wallet: on Solana a mint, a program, or an
 * address without a key that does not exist there. Call it before anything is stored. An address of another
 * family, or of no family, is not its matter.
 * @param text as the request has it; undefined: the request has no recipient
 * @throws ApiError 422 `recipient_without_key`, `recipient_is_token` naming `field`; 503 `chain_unavailable`
 */
export async function refuseUnopened(
  { chains, accounts }: UnopenedContext,
  text: string | undefined,
  field: string,
): Promise<void> {
  const [found] = text === undefined ? [] : normalForms(text)
  const chain = found && chains.find(({ family }) => family === found.family)
  if (!found || !chain) return
  try {
    await (await accounts(chain.name)).requireOpened?.(found.address)
  } catch (error) {
    if (!(error instanceof ActionRefusedError)) throw asUnavailable(chain.name, error)
    throw new ApiError(422, error.reason, `${field}: ${error.publicText}`, {
      fields: [{ field, message: error.publicText }],
    })
  }
}
