export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path className="shell-shape" d="M16 5c5.6 0 9 5 9 11s-3.4 11-9 11-9-5-9-11 3.4-11 9-11Z" />
        <path className="lips" d="M16 8c-1.6 2.6-1.6 5.3 0 8s1.6 5.3 0 8" />
      </svg>
      Cowry
    </span>
  )
}
