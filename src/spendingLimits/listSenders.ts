import { addressCodec } from '../chains/codecs.ts'
import { knownChain } from '../chains/registry.ts'
import type { Db } from '../platform/database/db.ts'
import type { SendLimits } from './limits.ts'
import { limitsSql, type NextLimits } from './readLimits.ts'

export interface KeySender extends SendLimits {
  next: NextLimits | null
  id: string
  name: string
  prefix: string
}

export interface WalletSender extends SendLimits {
  next: NextLimits | null
  id: string
  name: string | null
  chain: string
  address: string
}

/** Listed per kind, newest first; limits of older ones can still be set by id. */
const maxListed = 200

/**
 * A business's wallets, and the keys that move money: by transfers from wallets, payouts or refunds. With
 * their limits.
 */
export async function listSenders(
  ctx: { db: Db },
  businessId: string,
): Promise<{ keys: KeySender[]; wallets: WalletSender[] }> {
  const keys = await ctx.db.query<KeySender>(
    `select k.id, k.name, k.prefix, ${limitsSql('l')}
     from api_keys k left join send_limits l on l.subject = 'key' and l.subject_id = k.root_id
     where k.business_id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
       and coalesce(k.permissions, k.write_permissions) && array['wallets:send', 'payouts:create', 'refunds:create']
     order by k.id desc limit $2`,
    [businessId, maxListed],
  )
  const wallets = await ctx.db.query<WalletSender>(
    `select w.id, w.name, w.chain, w.address, ${limitsSql('l')}
     from wallets w left join send_limits l on l.subject = 'wallet' and l.subject_id = w.id
     where w.business_id = $1 and w.archived_at is null order by w.id desc limit $2`,
    [businessId, maxListed],
  )
  return {
    keys: keys.map(withNext),
    wallets: wallets.map((each) => ({ ...withNext(each), address: displayed(each) })),
  }
}

const withNext = <S extends KeySender | WalletSender>(sender: S): S => ({
  ...withDisplayed(sender),
  next: presentNext(sender.next),
})

/** Looser limits that apply later, as they are shown. */
export const presentNext = (next: NextLimits | null): NextLimits | null =>
  next && { ...withDisplayed(next), from: new Date(next.from).toISOString() }

/** Limits with addresses in display form. */
export function withDisplayed<L extends SendLimits>(limits: L): L {
  return {
    ...limits,
    destinations: limits.destinations?.map((each) => ({ ...each, address: displayed(each) })) ?? null,
  }
}

function displayed({ chain, address }: { chain: string; address: string }): string {
  const known = knownChain(chain)
  return known ? addressCodec(known.family).display(address) : address
}
