import { Account, Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import type { Chain } from './chain.ts'
import { accountIn } from './state.ts'
import { sha256 } from './values.ts'

/** Keys that anybody can make again: worth nothing outside a devnet. */
const keyOf = (name: string): Keypair => Keypair.fromRawEd25519Seed(sha256(Buffer.from(`Cowry devnet: ${name}`)))

/** Who there is from the start. */
export const people = {
  faucet: keyOf('faucet'),
  usdcIssuer: keyOf('issuer of USDC'),
  usdtIssuer: keyOf('issuer of USDT'),
  fakeIssuer: keyOf('issuer of a token that calls itself USDC'),
} as const

/** The tokens. `USDT` has the code that the real one has on this chain. */
export const tokens = {
  usdc: new Asset('USDC', people.usdcIssuer.publicKey()),
  usdt: new Asset('USDT0', people.usdtIssuer.publicKey()),
  fakeUsdc: new Asset('USDC', people.fakeIssuer.publicKey()),
} as const

const plenty = { lumens: '1000000000', issuerLumens: '1000', tokens: '100000000000' } as const

type Builder = (account: Account) => TransactionBuilder

/** Signs by the source's key; the sequence is the ledger's. */
export function build(chain: Chain, signer: Keypair, add: (builder: TransactionBuilder) => TransactionBuilder): string {
  const entry = accountIn(chain.book, signer.publicKey())
  const account = new Account(signer.publicKey(), (entry?.sequence ?? 0n).toString())
  const start: Builder = (source) => new TransactionBuilder(source, { fee: '100', networkPassphrase: chain.network.passphrase }).setTimeout(0)
  const transaction = add(start(account)).build()
  transaction.sign(signer)
  return transaction.toXdr()
}

/** Accounts, trust lines and money, by ordinary transactions in the first ledgers. Does nothing on a chain that has them. */
export function furnish(chain: Chain): void {
  if (accountIn(chain.book, people.faucet.publicKey())) return
  const root = Keypair.master(chain.network.passphrase)
  const send = (...envelopes: string[]) => {
    for (const envelope of envelopes) {
      const { status, hash } = chain.submit(envelope)
      if (status !== 'PENDING') throw new Error(`a transaction of the start was refused: ${status} ${hash}`)
    }
    const ledger = chain.close()
    if (ledger.transactions.some(({ successful }) => !successful)) throw new Error('a transaction of the start failed')
  }
  const create = (to: Keypair, startingBalance: string) => Operation.createAccount({ destination: to.publicKey(), startingBalance })
  const issuers = [people.usdcIssuer, people.usdtIssuer, people.fakeIssuer]
  send(
    build(chain, root, (builder) =>
      issuers.reduce(
        (each, issuer) => each.addOperation(create(issuer, plenty.issuerLumens)),
        builder.addOperation(create(people.faucet, plenty.lumens)),
      ),
    ),
  )
  const trust = Object.values(tokens).map((asset) => Operation.changeTrust({ asset }))
  send(build(chain, people.faucet, (builder) => trust.reduce((each, operation) => each.addOperation(operation), builder)))
  const destination = people.faucet.publicKey()
  const issue = (issuer: Keypair, asset: Asset) =>
    build(chain, issuer, (builder) => builder.addOperation(Operation.payment({ destination, asset, amount: plenty.tokens })))
  send(issue(people.usdcIssuer, tokens.usdc), issue(people.usdtIssuer, tokens.usdt), issue(people.fakeIssuer, tokens.fakeUsdc))
}
