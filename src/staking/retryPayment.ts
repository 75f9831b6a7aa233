import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Prover } from '../custody/proof.ts'
import { ConfigError } from '../platform/config.ts'
import type { Tx } from '../platform/database/db.ts'
import { isLeftToOperator } from './duePayment.ts'
import { readPayments } from './payments.ts'
import { retryMessage } from './stakeProof.ts'
import { lockParts, readStakes } from './storedStake.ts'

/**
 * Lets the treasury sign another payment of a stake whose payments have failed as often as it signs them, by
 * the evidence of an operator. The worker makes that payment once the chain can no longer include the others,
 * and the treasury requires its proof of that.
 * @param prover with the key of the API
 * @returns the payments that may be replaced
 * @throws ConfigError for any other stake
 */
export async function retryPayment(
  tx: Tx,
  actor: Actor,
  prover: Prover,
  id: string,
  evidence: string,
): Promise<string[]> {
  const [named] = await readStakes(tx, 'id = $1', [id])
  const stake = (await lockParts(tx, named?.rootId ?? id)).find((each) => each.id === id)
  if (!stake) throw new ConfigError(`there is no stake ${id}`)
  const payments = await readPayments(tx, id)
  if (stake.withdrawRequestedAt === null || !isLeftToOperator(stake, payments))
    throw new ConfigError(
      `${id} is ${stake.status}: only a stake whose payments have failed twice is retried`,
    )
  const failed = payments.filter(
    ({ status, isSigned, isRetried }) =>
      isSigned && !isRetried && (status === 'failed' || status === 'expired'),
  )
  const open = failed.find(({ isDead }) => !isDead)
  if (open) throw new ConfigError(`the payment ${open.intentId} of ${id} is not final yet: try again later`)
  for (const { intentId } of failed) {
    const proof = prover.prove(retryMessage({ intentId, stakeId: id }))
    await tx.query('insert into stake_retries (intent_id, evidence, proof) values ($1, $2, $3)', [
      intentId,
      evidence,
      proof,
    ])
  }
  await tx.query('update stakes set next_at = now(), updated_at = now() where id = $1', [id])
  await tx.query("select pg_notify('cowry_staking', '')")
  const replaced = failed.map(({ intentId }) => intentId)
  await recordAudit(tx, actor, {
    businessId: stake.businessId,
    action: 'stake.payment_retried',
    target: id,
    after: { payments: replaced, evidence },
  })
  return replaced
}
