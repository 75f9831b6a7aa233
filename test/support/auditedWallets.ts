import { dashboardTwin } from '../../api/contract.ts'
import type { Answered, Operations, Recipe } from './auditedRecipe.ts'
import { twinOf } from './auditedWebhooks.ts'
import { fund, newPayer, type Payer } from './payers.ts'

async function storedWallet({ stack }: Operations, { chain, privateKey }: Payer): Promise<string> {
  const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain, privateKey })
  if (status !== 201) throw new Error(`no wallet: ${status}`)
  return body.id
}

/** Wallets, and what is sent from them: by API and in the dashboard. */
const shared: Record<string, Recipe> = {
  generateWallet: async ({ stack: { chain } }) => ({
    path: '/crypto/wallets/generate',
    by: null,
    body: () => ({ chain }),
    entries: () => [],
  }),
  storeWallet: async ({ stack: { businessId, chain } }) => {
    const { privateKey } = newPayer(chain)
    const entries = ({ id }: Answered) => [{ action: 'wallet.stored', target: id, businessId }]
    return { path: '/crypto/wallets', by: null, body: () => ({ chain, privateKey, name: 'till' }), entries }
  },
  renameWallet: async (given) => {
    const id = await storedWallet(given, newPayer(given.stack.chain))
    const change = { before: { name: null }, after: { name: 'safe' } }
    const entries = () => [
      { action: 'wallet.renamed', target: id, businessId: given.stack.businessId, ...change },
    ]
    return { path: `/crypto/wallets/${id}`, by: null, body: () => ({ name: 'safe' }), entries }
  },
  archiveWallet: async (given) => {
    const id = await storedWallet(given, newPayer(given.stack.chain))
    return {
      path: `/crypto/wallets/${id}/archive`,
      by: null,
      entries: () => [{ action: 'wallet.archived', target: id, businessId: given.stack.businessId }],
    }
  },
  sendFromWallet: async (given) => {
    const { chain, businessId } = given.stack
    const payer = newPayer(chain)
    await fund(given.stack, payer, { native: '1' })
    const id = await storedWallet(given, payer)
    const requested = { toAddress: newPayer(chain).address, amount: '0.01', token: 'native' }
    const entries = (sent: Answered) => [{ action: 'transfer.created', target: sent.id, businessId }]
    return { path: `/crypto/wallets/${id}/transfers`, by: null, body: () => requested, entries }
  },
  cancelTransfer: async (given) => {
    const { api, chain, businessId } = given.stack
    const payer = newPayer(chain)
    await fund(given.stack, payer, { native: '1' })
    const wallet = await storedWallet(given, payer)
    const { body } = await api<{ id: string }>('POST', `/crypto/wallets/${wallet}/transfers`, {
      toAddress: newPayer(chain).address,
      amount: '0.01',
    })
    return {
      path: `/crypto/transfers/${body.id}/cancel`,
      by: null,
      entries: () => [{ action: 'transfer.cancelled', target: body.id, businessId }],
    }
  },
}

const readBalance: Recipe = async ({ stack: { chain } }) => ({
  path: '/crypto/wallets/balance',
  by: null,
  body: () => ({ chain, address: newPayer(chain).address }),
  entries: () => [],
})
const estimateTransfer: Recipe = async ({ stack: { chain }, payer }) => ({
  path: '/crypto/transfers/estimate',
  by: null,
  body: () => ({
    chain,
    fromAddress: payer.address,
    toAddress: newPayer(chain).address,
    amount: '0.01',
  }),
  entries: () => [],
})

/** What only reads is a POST without an entry. */
const asked = { readBalance, estimateTransfer }

export const auditedWallets: Record<string, Recipe> = {
  ...shared,
  ...Object.fromEntries(
    Object.entries({ ...shared, ...asked }).map(([id, recipe]) => [dashboardTwin(id), twinOf(recipe)]),
  ),
}
