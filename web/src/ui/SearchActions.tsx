/** The buttons of a search; `clear` resets the current search. */
export function SearchActions({ clear }: { clear: (() => void) | undefined }) {
  return (
    <div className="search-actions">
      <button type="submit" className="button primary">
        Search
      </button>
      {clear && (
        <button type="button" className="button" onClick={clear}>
          Clear
        </button>
      )}
    </div>
  )
}
