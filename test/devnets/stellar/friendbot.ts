import { Keypair, Operation, StrKey } from '@stellar/stellar-sdk'
import type { Chain } from './chain.ts'
import { build } from './genesis.ts'
import { invalidParameter, Problem } from './horizonPages.ts'
import { accountIn } from './state.ts'

/** What a new account is given: Stellar docs, "Friendbot". */
const gift = '10000'

export interface Friend {
  chain: Chain
  /** Whether ledgers close by themselves. Where they do not, friendbot closes one. */
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
 * Makes an account and answers when it is there, as the test network's friendbot does.
 * @throws Problem 400 when there is one already
 */
export async function befriend({ chain, timed }: Friend, address: string): Promise<object> {
  if (!StrKey.isValidEd25519PublicKey(address)) throw invalidParameter('addr', `invalid account id: ${address}`)
  if (accountIn(chain.book, address))
    throw new Problem('bad_request', 'Bad Request', 400, 'account already funded to starting balance (createAccountAlreadyExist)')
  for (;;) {
    const create = Operation.createAccount({ destination: address, startingBalance: gift })
    const envelope = build(chain, Keypair.master(chain.network.passphrase), (builder) => builder.addOperation(create))
    const { status, hash } = chain.submit(envelope)
    if (status === 'ERROR') throw new Problem('bad_request', 'Bad Request', 400, 'the account could not be made')
    if (timed()) await nextLedger(chain)
    else chain.close()
    const place = chain.find(hash)
    // The account that pays can be in one transaction a ledger: somebody else's may have come before.
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
