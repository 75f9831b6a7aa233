import { provers } from '../../support/intentKeys.ts'
import { asWorker, changeDestination, type Forgery, forged } from './forgery.ts'
import { business, honest, newWallet, other, savedFor, sql, thief } from './forging.ts'

/** Destinations that an owner has not saved so. */
export const forgedDestinations: Forgery[] = [
  {
    what: 'a destination that was changed',
    forge: () =>
      forged(honest, async (outflow) => {
        await changeDestination(outflow, 'address = $2', [thief])
        return asWorker(outflow, 'to_address = $2', [thief])
      }),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'a destination that the worker has proven',
    forge: () =>
      forged(honest, async (outflow) => {
        await changeDestination(outflow, 'address = $2', [thief], provers.worker)
        return asWorker(outflow, 'to_address = $2', [thief])
      }),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'a destination without a proof',
    forge: () => forged(honest, (outflow) => changeDestination(outflow, 'proof = null')),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'a destination with the proof of another one',
    forge: () =>
      forged(honest, async (outflow) => {
        const another = await honest()
        await changeDestination(
          outflow,
          'address = $2, proof = (select proof from payout_destinations o where o.id = $3)',
          [another.wallet?.address, another.destinationId],
        )
        return asWorker(outflow, 'to_address = $2', [another.wallet?.address])
      }),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'a destination that was moved to another business',
    forge: () =>
      forged(honest, async (outflow) => {
        const id = await savedFor(other, { address: thief })
        await sql('update payout_destinations set business_id = $2 where id = $1', [id, business])
        return asWorker(outflow, 'destination_id = $2, to_address = $3', [id, thief])
      }),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'an archived destination',
    forge: () => forged(honest, (outflow) => changeDestination(outflow, 'archived_at = now()')),
    checks: ['policy'],
    why: /destination is archived/,
  },
  {
    what: 'a destination that is cooling off',
    forge: () =>
      forged(
        async () => {
          const address = newWallet()
          const destinationId = await savedFor(business, {
            address,
            usableFrom: new Date(Date.now() + 3_600_000),
          })
          return honest({ address, destinationId })
        },
        async () => {},
      ),
    checks: ['policy'],
    why: /destination is cooling off/,
  },
  {
    what: 'a destination whose cooling-off was shortened',
    forge: () =>
      forged(honest, (outflow) => changeDestination(outflow, "usable_from = now() - interval '1 day'")),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
]
