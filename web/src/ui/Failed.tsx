import { plainError } from './plainError.ts'

interface Props {
  error: unknown
  retry?: () => void
}

export function Failed({ error, retry }: Props) {
  const { message, requestId, ours } = plainError(error)
  return (
    <div className="notice danger" role="alert">
      <p>{message}</p>
      {requestId && (ours || retry) && (
        <p className="fine">
          Request <code>{requestId}</code>. Name it when you ask for help.
        </p>
      )}
      {retry && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
