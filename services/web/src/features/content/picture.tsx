import { signal } from '@preact/signals';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { contentText } from '../../strings/messages.ts';

interface Picture {
  address: string;
  name: string;
}

const shown = signal<Picture | null>(null);

/** Shows a picture whole. */
export const showPicture = (picture: Picture): void => void (shown.value = picture);

/** The picture that is shown whole, if there is one. */
export function PictureDialog() {
  const picture = shown.value;
  if (!picture) return null;
  return (
    <Dialog title={picture.name || contentText.picture} onClose={() => (shown.value = null)}>
      <p class="whole-picture">
        <img src={picture.address} alt={picture.name} />
      </p>
      <a href={picture.address} target="_blank" rel="noopener noreferrer">
        {contentText.openOriginal}
      </a>
    </Dialog>
  );
}
