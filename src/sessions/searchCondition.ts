import { Op, type WhereOptions } from 'sequelize'
import type { Family } from '../chains/chain.ts'
import { normalForms, transactionId } from '../chains/codecs.ts'
import { chainNames, knownChain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import { isUuid } from '../platform/ids.ts'
import type { PosSession } from './model.ts'

/**
 * Conditions of which a session meets one: the text is its id, its reference or its address, or the
 * transaction of a payment to it. Each has an index, so only whole values are found.
 */
export async function searchCondition(
  db: Queryable,
  businessId: string,
  text: string,
): Promise<WhereOptions<PosSession>[]> {
  const paid = await sessionsPaidBy(db, businessId, text)
  const ids = isUuid(text) ? [text, ...paid] : paid
  return [
    { reference: text },
    ...normalForms(text).map(({ family, address }) => ({ family, address })),
    ...(ids.length > 0 ? [{ id: { [Op.in]: ids } }] : []),
  ]
}

/** The business's sessions that a transaction paid, on any chain. */
async function sessionsPaidBy(db: Queryable, businessId: string, text: string): Promise<string[]> {
  const forms = chainNames.flatMap((chain) => {
    const id = transactionId(familyOf(chain), text)
    return id === null ? [] : [{ chain, id }]
  })
  if (forms.length === 0) return []
  const rows = await db.query<{ id: string }>(
    `select distinct d.subject_id as id from transfers t join detections d on d.transfer_id = t.id join pos_sessions s on s.id = d.subject_id
     where t.chain = any($2::text[]) and t.tx_id = any($3::text[]) and s.business_id = $1`,
    [businessId, forms.map(({ chain }) => chain), [...new Set(forms.map(({ id }) => id))]],
  )
  return rows.map(({ id }) => id)
}

function familyOf(name: string): Family {
  const chain = knownChain(name)
  if (!chain) throw new Error(`${name} is not a chain`)
  return chain.family
}
