/** Loads the sign-in page with a full page load, so that nothing of the session stays in memory. */
export function leaveForSignIn(): void {
  location.assign('/dashboard/sign-in')
}
