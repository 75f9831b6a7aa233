import type { HeadSubscription } from '../../providers/heads.ts'
import type { RpcHeader } from '../rpcTypes.ts'
import { headerOf } from './header.ts'

/** `eth_subscribe` to `newHeads`: each notification carries the header. */
export const newHeads: HeadSubscription = {
  method: 'eth_subscribe',
  params: ['newHeads'],
  headOf: ({ method, params }) =>
    method === 'eth_subscription' && params?.result ? headerOf(params.result as RpcHeader) : undefined,
}
