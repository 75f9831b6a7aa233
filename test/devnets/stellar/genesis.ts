import { Account, Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import type { Chain } from './chain.ts'
import { accountIn } from './state.ts'
import { sha256 } from './values.ts'

/** Reproducible keys: worthless outside a devnet. */
const keyOf = (name: string): Keypair =>
  Keypair.fromRawEd25519Seed(sha256(Buffer.from(`Cowry devnet: ${name}`)))

/** Accounts that exist from the start. */
export const keypairs = {
  faucet: keyOf('faucet'),
  usdcIssuer: keyOf('issuer of USDC'),
  usdtIssuer: keyOf('issuer of USDT'),
  fakeIssuer: keyOf('issuer of a token that calls itself USDC'),
} as const

/** The tokens. `USDT` has the same code as the real one on this chain. */
export const tokens = {
  usdc: new Asset('USDC', keypairs.usdcIssuer.publicKey()),
  usdt: new Asset('USDT0', keypairs.usdtIssuer.publicKey()),
  fakeUsdc: new Asset('USDC', keypairs.fakeIssuer.publicKey()),
} as const

const plenty = { lumens: '1000000000', issuerLumens: '1000', tokens: '100000000000' } as const

type Builder = (account: Account) => TransactionBuilder

/** Signed by the source, with its sequence number from the ledger. */
export function build(
  chain: Chain,
  signer: Keypair,
  add: (builder: TransactionBuilder) => TransactionBuilder,
): string {
  const entry = accountIn(chain.book, signer.publicKey())
  const account = new Account(signer.publicKey(), (entry?.sequence ?? 0n).toString())
  const start: Builder = (source) =>
    new TransactionBuilder(source, { fee: '100', networkPassphrase: chain.network.passphrase }).setTimeout(0)
  const transaction = add(start(account)).build()
  transaction.sign(signer)
  return transaction.toXdr()
}

/**
 * Creates accounts, trust lines and balances, by ordinary transactions in the first ledgers. Skipped if the
 * chain has them.
 */
export function seed(chain: Chain): void {
  if (accountIn(chain.book, keypairs.faucet.publicKey())) return
  const root = Keypair.master(chain.network.passphrase)
  const send = (...envelopes: string[]) => {
    for (const envelope of envelopes) {
      const { status, hash } = chain.submit(envelope)
      if (status !== 'PENDING') throw new Error(`a genesis transaction was refused: ${status} ${hash}`)
    }
    const ledger = chain.close()
    if (ledger.transactions.some(({ successful }) => !successful))
      throw new Error('a genesis transaction failed')
  }
  const create = (to: Keypair, startingBalance: string) =>
    Operation.createAccount({ destination: to.publicKey(), startingBalance })
  const issuers = [keypairs.usdcIssuer, keypairs.usdtIssuer, keypairs.fakeIssuer]
  send(
    build(chain, root, (builder) =>
      issuers.reduce(
        (each, issuer) => each.addOperation(create(issuer, plenty.issuerLumens)),
        builder.addOperation(create(keypairs.faucet, plenty.lumens)),
      ),
    ),
  )
  const trust = Object.values(tokens).map((asset) => Operation.changeTrust({ asset }))
  send(
    build(chain, keypairs.faucet, (builder) =>
      trust.reduce((each, operation) => each.addOperation(operation), builder),
    ),
  )
  const destination = keypairs.faucet.publicKey()
  const issue = (issuer: Keypair, asset: Asset) =>
    build(chain, issuer, (builder) =>
      builder.addOperation(Operation.payment({ destination, asset, amount: plenty.tokens })),
    )
  send(
    issue(keypairs.usdcIssuer, tokens.usdc),
    issue(keypairs.usdtIssuer, tokens.usdt),
    issue(keypairs.fakeIssuer, tokens.fakeUsdc),
  )
}
