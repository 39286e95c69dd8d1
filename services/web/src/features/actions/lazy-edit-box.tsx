import type { ComponentProps } from 'preact';
import { Suspense, lazy } from 'preact/compat';

import { commonText } from '../../strings/common.ts';

const Editor = lazy(async () => ({ default: (await import('./edit-box.tsx')).EditBox }));

/** Shows the editor of a message in the place of its content, once it is loaded. */
export const EditBox = (props: ComponentProps<typeof Editor>) => (
  <Suspense fallback={<p class="dim">{commonText.loading}</p>}>
    <Editor {...props} />
  </Suspense>
);
