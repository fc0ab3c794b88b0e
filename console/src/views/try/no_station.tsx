// What to do where the service knows no station.

import { hashOf } from '../../state/route.ts';
import { strings } from '../../strings.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** A sentence, and the way to the import. */
export function NoStation() {
  return (
    <div class="note">
      <p>{strings.try.noStation}</p>
      <ButtonLink icon="upload" href={hashOf('operate', { page: 'data' })}>
        {strings.ui.toImport}
      </ButtonLink>
    </div>
  );
}
