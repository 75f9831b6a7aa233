export const NoAnswer = () => <p className="notice warn">No answer in time. Try again in a moment.</p>
