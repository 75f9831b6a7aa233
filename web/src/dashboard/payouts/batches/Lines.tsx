/** Short texts, each on a line of its own. */
export const Lines = ({ of }: { of: readonly string[] }) => (
  <>
    {of.map((each) => (
      <span key={each} className="fine">
        {each}
      </span>
    ))}
  </>
)
