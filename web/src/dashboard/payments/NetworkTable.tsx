import type { PaymentSettings } from '../types.ts'
import { cellOf, chainNames, offeredTokens } from './accepted.ts'

interface Props {
  networks: PaymentSettings['networks']
  cells: ReadonlySet<string>
  disabled: boolean
  onToggle: (cell: string) => void
}

/** A table of networks and tokens, with a checkbox where the deployment offers both. */
export function NetworkTable({ networks, cells, disabled, onToggle }: Props) {
  const tokens = offeredTokens(networks)
  return (
    <table className="grid">
      <caption className="unseen">Accepted networks and tokens</caption>
      <thead>
        <tr>
          <th scope="col">Network</th>
          {tokens.map((token) => (
            <th key={token} scope="col">
              {token}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {networks.map((network) => (
          <tr key={network.chain}>
            <th scope="row">{chainNames[network.chain]}</th>
            {tokens.map((token) => {
              const cell = cellOf(network.chain, token)
              return (
                <td key={token}>
                  {network.tokens.some((each) => each.token === token) ? (
                    <input
                      type="checkbox"
                      aria-label={`${token} on ${chainNames[network.chain]}`}
                      checked={cells.has(cell)}
                      disabled={disabled}
                      onChange={() => onToggle(cell)}
                    />
                  ) : (
                    <span className="fine">Not offered</span>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
