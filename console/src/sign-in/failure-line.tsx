/** The place where screen readers hear why something failed. */
export const FailureLine = ({ id, children }: { id?: string; children: string }) => (
  <p {...(id !== undefined && { id })} class="failure" role="alert">
    {children}
  </p>
)
