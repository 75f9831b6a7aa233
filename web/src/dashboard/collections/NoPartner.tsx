import { Empty } from '../../ui/Empty.tsx'

export function NoPartner() {
  return (
    <Empty title="This deployment collects nothing.">
      <p>
        It has no partner that collects money from customers. Its operator configures one, with the partner’s
        keys.
      </p>
    </Empty>
  )
}
