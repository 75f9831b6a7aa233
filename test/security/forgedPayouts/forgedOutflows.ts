import type { Entry } from '../../../src/ledger/entry.ts'
import { post } from '../../../src/ledger/post.ts'
import { givenBack, hasLeft } from '../../../src/outflows/outflowEntries.ts'
import type { Tx } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import { provers } from '../../support/intentKeys.ts'
import { asWorker, change, type Forgery, forged } from './forgery.ts'
import {
  approve,
  forger,
  goesBack,
  honest,
  inTransaction,
  other,
  paying,
  refund,
  savedFor,
  sql,
  thief,
  unapproved,
} from './forging.ts'

const posted = (entries: (tx: Tx) => Promise<Entry[]>): Promise<void> =>
  inTransaction(async (tx) => {
    await post(tx, await entries(tx))
  })

const notThere = /payment that it gives back is not confirmed/

/** Outflows that are not as proven, or take money that is not held for them. */
export const forgedOutflows: Forgery[] = [
  {
    what: 'an outflow to another address than proven',
    forge: () => forged(refund, (outflow) => change(outflow, 'to_address = $2', [thief])),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'a payout that no longer needs an approval by its row',
    forge: () => forged(unapproved, (outflow) => change(outflow, 'needs_approval = false')),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'a payout without the approval that it needs',
    forge: () => forged(unapproved, async () => {}),
    checks: ['policy'],
    why: /no approval of a second owner/,
  },
  {
    what: 'a payout with an approval that the api has not proven',
    forge: () => forged(unapproved, (outflow) => approve(outflow, forger)),
    checks: ['policy'],
    why: /no approval of a second owner/,
  },
  {
    what: 'a payout with an approval of a person who is no owner any more',
    forge: () =>
      forged(unapproved, async (outflow) => {
        await approve(outflow, provers.api)
        await sql(
          "update members set role = 'developer' where account_id in (select decided_by from approvals where subject_id = $1)",
          [outflow.id],
        )
      }),
    checks: ['policy'],
    why: /no approval of a second owner/,
  },
  {
    what: 'a payout to another address than its destination, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, 'to_address = $2', [thief])),
    checks: ['policy', 'action'],
    why: /goes elsewhere than its destination/,
  },
  {
    what: 'a payout without a destination, with the proof of the worker',
    forge: () =>
      forged(honest, (outflow) => asWorker(outflow, 'destination_id = null, to_address = $2', [thief])),
    checks: ['policy', 'action'],
    why: /names no destination/,
  },
  {
    what: 'a refund that the worker has made',
    forge: () => forged(refund, (outflow) => asWorker(outflow, 'to_address = $2', [thief])),
    checks: ['policy'],
    why: /only the API makes a refund/,
  },
  {
    what: 'a payout that is made a refund, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, "kind = 'refund', to_address = $2", [thief])),
    checks: ['policy'],
    why: /only the API makes a refund/,
  },
  {
    what: 'money in suspense that the worker sends',
    forge: () =>
      forged(refund, (outflow) =>
        asWorker(outflow, "kind = 'suspense', business_id = null, to_address = $2", [thief]),
      ),
    checks: ['policy'],
    why: /only the API makes a suspense/,
  },
  {
    what: 'a top-up to an address that the treasury does not know',
    forge: () =>
      forged(refund, (outflow) =>
        asWorker(outflow, "kind = 'top_up', business_id = null, to_address = $2", [thief]),
      ),
    checks: ['policy'],
    why: /not the address of top-ups/,
  },
  {
    what: 'an outflow of the worker that claims to be of the API',
    forge: () => forged(refund, (outflow) => change(outflow, 'to_address = $2', [thief], provers.worker)),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow with the proof of another one',
    forge: () =>
      forged(refund, async (outflow) => {
        const another = await refund()
        return change(outflow, 'proof = (select proof from outflows o where o.id = $2), to_address = $3', [
          another.id,
          another.wallet?.address,
        ])
      }),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: "an outflow with the forger's own proof",
    forge: () => forged(refund, (outflow) => change(outflow, 'to_address = $2', [thief], forger)),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow without a proof',
    forge: () => forged(honest, (outflow) => change(outflow, 'proof = null')),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow that takes more than proven',
    forge: () => forged(honest, (outflow) => change(outflow, 'amount = 600, to_amount = 600')),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow that keeps no fee, and sends it, too',
    forge: () =>
      forged(
        () => honest({ fee: 20n }),
        (outflow) => change(outflow, 'fee = 0, to_amount = 500'),
      ),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow that sends more than it takes, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, 'to_amount = 501')),
    checks: ['policy'],
    why: /sends more than it takes/,
  },
  {
    what: 'an outflow that sends its fee, too, with the proof of the worker',
    forge: () =>
      forged(
        () => honest({ fee: 20n }),
        (outflow) => asWorker(outflow, 'to_amount = 481'),
      ),
    checks: ['policy'],
    why: /sends more than it takes/,
  },
  {
    what: 'a payout of dollars in native coin, one for one, with the proof of the worker',
    forge: async () => {
      const outflow = await asWorker(await honest(), "to_token = 'ETH', to_amount = 5000")
      return { outflow, wanted: paying(outflow, { token: null }) }
    },
    checks: ['policy'],
    why: /takes another asset/,
  },
  {
    what: 'a payout on another chain, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, "to_chain = 'polygon'")),
    checks: ['policy'],
    why: /goes to another chain/,
  },
  {
    what: "another business's money, with the proof of the worker",
    forge: () => forged(honest, (outflow) => asWorker(outflow, 'business_id = $2', [other])),
    checks: ['policy', 'action'],
    why: /names no destination of its business/,
  },
  {
    what: "another business's destination, with the proof of the worker",
    forge: () =>
      forged(honest, async (outflow) =>
        asWorker(outflow, 'destination_id = $2, to_address = $3', [
          await savedFor(other, { address: thief }),
          thief,
        ]),
      ),
    checks: ['policy', 'action'],
    why: /names no destination of its business/,
  },
  {
    what: 'an outflow whose money was never held',
    forge: () =>
      forged(
        async () => {
          const [outflow, id] = [await honest(), newId()]
          await sql(
            `insert into outflows select (jsonb_populate_record(o, jsonb_build_object('id', $2::text, 'proof', null))).* from outflows o where o.id = $1`,
            [outflow.id, id],
          )
          return asWorker({ ...outflow, id }, 'tries = 0')
        },
        async () => {},
      ),
    checks: ['policy'],
    why: /money is not held for it/,
  },
  {
    what: 'an outflow of more than is held, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, 'amount = 600, to_amount = 600')),
    checks: ['policy'],
    why: /money is not held for it/,
  },
  {
    what: 'an outflow whose money was given back',
    forge: () => forged(honest, (outflow) => posted(async (tx) => givenBack(tx, outflow))),
    checks: ['policy'],
    why: /no longer held/,
  },
  {
    what: 'an outflow whose money has left already',
    forge: () => forged(honest, (outflow) => posted(async (tx) => hasLeft(tx, outflow))),
    checks: ['policy'],
    why: /no longer held/,
  },
  {
    what: 'a refund, with the proof of the API, of a payment that a fork has taken away',
    forge: () =>
      forged(refund, ({ sessionId }) =>
        sql("update detections set status = 'reverted' where subject_id = $1", [sessionId]),
      ),
    checks: ['policy'],
    why: notThere,
  },
  {
    what: 'a refund of more than came',
    forge: () =>
      forged(refund, ({ sessionId }) =>
        sql(
          'update transfers set amount = 499 where id in (select transfer_id from detections where subject_id = $1)',
          [sessionId],
        ),
      ),
    checks: ['policy'],
    why: notThere,
  },
  {
    what: 'a refund of a payment that came on another chain',
    forge: () =>
      forged(refund, ({ sessionId }) =>
        sql(
          "update transfers set chain = 'polygon' where id in (select transfer_id from detections where subject_id = $1)",
          [sessionId],
        ),
      ),
    checks: ['policy'],
    why: notThere,
  },
  {
    what: 'a refund that names no session',
    forge: () =>
      forged(
        () => honest({ kind: 'refund', sessionId: null }),
        async () => {},
      ),
    checks: ['policy'],
    why: notThere,
  },
  {
    what: 'a second refund of a payment, with any rows of the first',
    forge: () =>
      forged(refund, async ({ sessionId }) => {
        const first = await honest({ kind: 'refund', sessionId })
        await sql('insert into outflow_signatures (outflow_id, intent_id) values ($1, $1)', [first.id])
      }),
    checks: ['policy'],
    why: notThere,
  },
  {
    what: 'a return, with the proof of the API, of money in suspense that a fork has taken away',
    forge: () =>
      forged(goesBack, ({ paymentId }) =>
        sql("update detections set status = 'reverted' where id = $1", [paymentId]),
      ),
    checks: ['policy'],
    why: notThere,
  },
]
