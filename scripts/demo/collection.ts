import { setTimeout as delay } from 'node:timers/promises'
import { parseUnits } from 'viem'
import type { ChainName } from '../../src/chains/registry.ts'
import { arrived, mustEqual, type PaidDevnet } from './payout.ts'

interface ShownCollection {
  id: string
  status: string
  amount: string
  currency: string
  bankName: string | null
  bankAccountNumber: string | null
  cryptoAmount: string | null
  cryptoCurrency: 'USDC' | 'USDT'
  settlement: string
  txId: string | null
}

interface Demo {
  api<T>(method: string, path: string, body?: object): Promise<T>
  /** Adds a line to the chain's timeline. */
  line(what: string): void
}

/** What the partner's stand-in settles, by chain. */
const settled: Partial<Record<ChainName, 'USDC' | 'USDT'>> = {
  ethereum: 'USDC',
  base: 'USDC',
  polygon: 'USDT',
  solana: 'USDC',
  tron: 'USDT',
  stellar: 'USDC',
}
/** The stand-in pays from this account by itself, after some seconds. */
const payingAccount = '1111111111'
const patienceMs = 120_000

const customer = {
  name: 'Ada Obi',
  country: 'NG',
  phone: '+2348012345678',
  address: '1 Marina Road, Lagos',
  dob: '1990-01-31',
  email: 'ada@demo.cowry.test',
  idNumber: '0123456789',
  idType: 'NIN',
  additionalIdType: 'BVN',
  additionalIdNumber: '22123456789',
}

/**
 * Has a customer pay in naira, settled to the merchant's wallet on a chain, and follows it until the chain
 * has confirmed the settlement. Nothing on chains that the partner does not settle on.
 * @throws Error that names what did not come, or differs
 */
export async function collect(
  { api, line }: Demo,
  chain: ChainName,
  devnet: PaidDevnet,
  walletAddress: string | undefined,
): Promise<void> {
  const token = settled[chain]
  if (token === undefined || walletAddress === undefined) return
  const made = await api<ShownCollection>('POST', '/fiat-collections', {
    amount: '50000',
    currency: 'NGN',
    country: 'NG',
    walletAddress,
    cryptoCurrency: token,
    cryptoNetwork: chain,
    ...(chain === 'stellar' && { memo: '77' }),
    recipient: customer,
    source: { accountType: 'bank', accountNumber: payingAccount },
    reference: 'Two coffees',
  })
  line(
    `to be collected: ${made.amount} ${made.currency} into ${made.bankName}, account ${made.bankAccountNumber} (collection ${made.id})`,
  )
  const until = async (what: string, is: (now: ShownCollection) => boolean): Promise<ShownCollection> => {
    for (const deadline = Date.now() + patienceMs; ; await delay(250)) {
      const now = await api<ShownCollection>('GET', `/fiat-collections/${made.id}`)
      if (is(now)) return now
      if (Date.now() > deadline)
        throw new Error(
          `the collection is not ${what} in time: it is ${now.status}, its settlement ${now.settlement}`,
        )
    }
  }
  const paid = await until('completed', ({ status }) => status === 'completed')
  line(
    `collected: the customer has paid, and the partner settles ${paid.cryptoAmount} ${token} to ${walletAddress}`,
  )
  const { txId, cryptoAmount } = await until('confirmed', ({ settlement }) => settlement === 'confirmed')
  const contract = token === 'USDC' ? devnet.usdc : devnet.usdt
  if (txId === null || cryptoAmount === null || contract === undefined)
    throw new Error('the collection names no settlement')
  const [whole = '', fraction = ''] = cryptoAmount.split('.')
  const expected = parseUnits(`${whole}.${fraction.slice(0, 6)}`, devnet.decimals)
  mustEqual(
    'what the partner has settled',
    await arrived(chain, devnet, { txHash: txId, address: walletAddress, token: contract }),
    expected,
  )
  line(`settled and confirmed: ${expected} base units of ${token}, as the chain reports (${txId})`)
}
