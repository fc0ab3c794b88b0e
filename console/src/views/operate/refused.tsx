// Why the service did not do what it was asked for.

/** @param by what was done; nothing stands there if it was not refused */
export function Refused({ by: { error } }: { by: { error: string | undefined } }) {
  return error === undefined ? null : (
    <p class="field-error" role="alert">
      {error}
    </p>
  );
}
