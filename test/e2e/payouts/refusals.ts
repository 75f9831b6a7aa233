import { newId } from '../../../src/platform/ids.ts'
import { makeDestination } from '../../support/madeDestination.ts'
import { someAccount } from '../../support/sampleRequests.ts'
import { at, gtBank, openBusiness, someAddress, stack } from './calls.ts'

export const inline = (more: object) => ({
  destination: { chain: 'ethereum', address: someAddress(), ...more },
})
const bank = (more: object) => ({ destination: { ...someAccount(), ...more } })

/** Requests for payouts that are refused, with the answer: status, error, fields. */
export const refusals: [what: string, wanted: () => object | Promise<object>, ...expected: unknown[]][] = [
  ['no amount', () => ({ amount: undefined }), 400, 'Invalid request body', 'amount'],
  ['an amount of zero', () => ({ amount: '0' }), 400, 'Invalid request body', 'amount'],
  ['a negative amount', () => ({ amount: '-1' }), 400, 'Invalid request body', 'amount'],
  ['a number as the amount', () => ({ amount: 5 }), 400, 'Invalid request body', 'amount'],
  [
    'more decimals than the token has',
    () => ({ amount: '1.0000001' }),
    400,
    'Invalid request body',
    'amount',
  ],
  ['an amount that the fee takes', () => ({ amount: '0.000001' }), 422, 'amount_too_small', 'amount'],
  ['less than a unit of the currency', () => bank({ networkId: gtBank }), 422, 'amount_too_small', 'amount'],
  ['no source', () => ({ source: undefined }), 400, 'Invalid request body', 'source'],
  [
    'a chain that is not configured',
    () => ({ source: { chain: 'base', token: 'USDC' } }),
    400,
    'Invalid request body',
    'source.chain',
  ],
  [
    'an unknown chain',
    () => ({ source: { chain: 'moon', token: 'USDC' } }),
    400,
    'Invalid request body',
    'source.chain',
  ],
  [
    'an unknown token',
    () => ({ source: { chain: 'ethereum', token: 'DAI' } }),
    400,
    'Invalid request body',
    'source.token',
  ],
  ['no destination', () => ({ destination: undefined }), 400, 'Invalid request body', 'destination'],
  [
    'an empty destination',
    () => ({ destination: {} }),
    400,
    'Invalid request body',
    'destination.chain',
    'destination.networkId',
  ],
  [
    'two destinations',
    () => inline({ id: at.wallet }),
    400,
    'Invalid request body',
    'destination.address',
    'destination.chain',
    'destination.id',
  ],
  [
    'a bank and a wallet',
    () => inline({ networkId: gtBank }),
    ...[400, 'Invalid request body', 'destination.address', 'destination.chain', 'destination.networkId'],
  ],
  ['an unknown field', () => inline({ iban: 'x' }), 400, 'Invalid request body', 'destination.iban'],
  [
    'an unknown networkId',
    () => bank({ networkId: newId() }),
    400,
    'Invalid request body',
    'destination.networkId',
  ],
  [
    'a currency that the bank does not take',
    () => bank({ currency: 'KES' }),
    400,
    'Invalid request body',
    'destination.currency',
  ],
  [
    'an account number that is too short',
    () => bank({ accountNumber: '1-2' }),
    400,
    'Invalid request body',
    'destination.accountNumber',
  ],
  [
    'an account without a name',
    () => bank({ accountName: undefined }),
    400,
    'Invalid request body',
    'destination.accountName',
  ],
  ['no address', () => inline({ address: undefined }), 400, 'Invalid request body', 'destination.address'],
  [
    'an address of nothing',
    () => inline({ address: 'nowhere' }),
    400,
    'invalid_address',
    'destination.address',
  ],
  [
    'an address of another chain',
    () => inline({ address: 'T'.padEnd(34, '1') }),
    400,
    'invalid_address',
    'destination.address',
  ],
  ['a memo on ethereum', () => inline({ memo: '7' }), 400, 'Invalid request body', 'destination.memo'],
  [
    'the address of a token',
    async () => inline({ address: stack.devnet.usdc }),
    422,
    'recipient_is_token',
    'destination.address',
  ],
  [
    'the zero address',
    () => inline({ address: `0x${'0'.repeat(40)}` }),
    422,
    'recipient_without_key',
    'destination.address',
  ],
  [
    'a deposit address of this platform',
    async () =>
      inline(
        (await stack.db.query("select address from deposit_addresses where family = 'evm' limit 1"))[0] ?? {},
      ),
    ...[422, 'own_address', 'destination.address'],
  ],
  ['an id that does not exist', () => ({ destination: { id: newId() } }), 404, 'Not found'],
  ['an invalid id', () => ({ destination: { id: 'x' } }), 404, 'Not found'],
  [
    'the destination of another business',
    async () => ({ destination: { id: (await openBusiness()).wallet } }),
    404,
    'Not found',
  ],
  ['an archived destination', archived, 422, 'destination_archived', 'destination.id'],
  ['a saved wallet on a chain that is not configured', onBase, 422, 'token_unavailable', 'destination'],
  ['more than there is', () => ({ amount: '1000000' }), 422, 'insufficient_funds', 'amount'],
  [
    'a reference that is too long',
    () => ({ reference: 'x'.repeat(201) }),
    400,
    'Invalid request body',
    'reference',
  ],
  [
    'metadata that is too large',
    () => ({ metadata: { note: 'x'.repeat(4100) } }),
    400,
    'Invalid request body',
    'metadata',
  ],
  ['metadata that is a list', () => ({ metadata: [] }), 400, 'Invalid request body', 'metadata'],
]

async function archived() {
  const id = await makeDestination(stack.db, at.businessId)
  await stack.db.query('update payout_destinations set archived_at = now() where id = $1', [id])
  return { destination: { id } }
}
async function onBase() {
  const id = await makeDestination(stack.db, at.businessId)
  await stack.db.query("update payout_destinations set chain = 'base' where id = $1", [id])
  return { destination: { id } }
}
