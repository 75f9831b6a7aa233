import { Keypair, Operation, StrKey } from '@stellar/stellar-sdk'
import type { Chain } from './chain.ts'
import { build } from './genesis.ts'
import { invalidParameter, Problem } from './horizonPages.ts'
import { accountIn } from './state.ts'

/** Starting balance of a new account: Stellar docs, "Friendbot". */
const gift = '10000'

export interface Friendbot {
  chain: Chain
  /** Ledgers close by a timer. Without one, friendbot closes a ledger. */
  timed(): boolean
}

const nextLedger = (chain: Chain) =>
  new Promise<void>((resolve) => {
    const stop = chain.onClose(() => {
      stop()
      resolve()
    })
  })

/**
 * Creates an account and answers once it exists, as the test network's friendbot does.
 * @throws Problem 400 if it exists already
 */
export async function fundAccount({ chain, timed }: Friendbot, address: string): Promise<object> {
  if (!StrKey.isValidEd25519PublicKey(address))
    throw invalidParameter('addr', `invalid account id: ${address}`)
  if (accountIn(chain.book, address))
    throw new Problem(
      'bad_request',
      'Bad Request',
      400,
      'account already funded to starting balance (createAccountAlreadyExist)',
    )
  for (;;) {
    const create = Operation.createAccount({ destination: address, startingBalance: gift })
    const envelope = build(chain, Keypair.master(chain.network.passphrase), (builder) =>
      builder.addOperation(create),
    )
    const { status, hash } = chain.submit(envelope)
    if (status === 'ERROR')
      throw new Problem('bad_request', 'Bad Request', 400, 'the account could not be made')
    if (timed()) await nextLedger(chain)
    else chain.close()
    const place = chain.find(hash)
    // The paying account can send one transaction per ledger: another request may have used this one.
    if (!place) continue
    const { record, ledger } = place
    return {
      hash,
      successful: record.successful,
      ledger: ledger.sequence,
      envelope_xdr: record.envelope,
      result_xdr: record.result,
      result_meta_xdr: record.meta,
    }
  }
}
