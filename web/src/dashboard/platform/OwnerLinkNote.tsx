/** A note for the link that makes a person the owner of a business. */
export const OwnerLinkNote = ({ email }: { email: string }) => (
  <p>
    Give this link to {email} yourself: it makes them the owner. It is shown only now, and anyone who has it
    can use it.
  </p>
)
