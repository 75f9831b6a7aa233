import { useState } from 'react'
import { createFormKeys } from '../formKeys.ts'
import { BridgeFormDialog } from './BridgeFormDialog.tsx'
import { ConfirmBridgeDialog } from './ConfirmBridgeDialog.tsx'
import type { BridgeRequest, BridgeTransfer, EstimatedBridge } from './types.ts'

interface Props {
  onClose: () => void
  onCreated: (transfer: BridgeTransfer) => void
}

/** First the form, then the costs to confirm. */
export function NewBridgeDialog({ onClose, onCreated }: Props) {
  const [keyOf] = useState(() => createFormKeys())
  const [request, setRequest] = useState<BridgeRequest>()
  const [estimated, setEstimated] = useState<EstimatedBridge>()
  if (estimated)
    return (
      <ConfirmBridgeDialog
        estimated={estimated}
        idempotencyKey={keyOf(estimated.request)}
        onBack={() => setEstimated(undefined)}
        onCreated={onCreated}
      />
    )
  const next = (given: EstimatedBridge) => {
    setRequest(given.request)
    setEstimated(given)
  }
  return <BridgeFormDialog request={request} onClose={onClose} onEstimated={next} />
}
