/** What is said beside the link that makes somebody the owner of a business. */
export const OwnerLinkNote = ({ email }: { email: string }) => (
  <p>Give this link to {email} yourself: it makes them the owner. It is shown only now, and whoever has it can use it.</p>
)
