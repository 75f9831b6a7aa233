import { Op } from 'sequelize'
import { normalForms } from '../chains/codecs.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import {
  type Created,
  containing,
  createdWithin,
  findPage,
  type Page,
  type PageRequest,
} from '../platform/pages.ts'
import { presentWallet, type WalletView } from './getWallet.ts'
import { walletModel } from './model.ts'

export interface WalletFilter extends Created {
  chain?: string
  /** In any form that the chain accepts. */
  address?: string
  /** A part of its name or address. */
  search?: string
  archived?: boolean
}

/** Stored wallets of the business, newest first by default; archived ones only on request. */
export async function listWallets(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, address, search, archived = false, ...created }: WalletFilter,
  request: PageRequest,
): Promise<Page & { wallets: WalletView[] }> {
  const where = {
    businessId,
    archivedAt: archived ? { [Op.ne]: null } : null,
    ...(chain !== undefined && { chain }),
    ...(address !== undefined && { address: normalForms(address).map((form) => form.address) }),
    ...createdWithin(created),
    ...(search !== undefined && { [Op.or]: textsOf(search.trim()) }),
  }
  const { rows, page } = await findPage(walletModel(ctx.db.sequelize), where, request)
  return { wallets: rows.map(presentWallet), ...page }
}

/** An address is also found as a whole in another form than the stored one. */
const textsOf = (search: string) => [
  { name: containing(search) },
  { address: containing(search) },
  { address: normalForms(search).map((form) => form.address) },
]
