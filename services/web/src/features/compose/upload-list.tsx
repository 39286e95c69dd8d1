import { X } from 'lucide-preact';

import { uploads } from '../../data/writing/uploads.ts';
import { uploadText } from '../../strings/compose.ts';

/** The files that are on their way. */
export const UploadList = () =>
  uploads.value.length === 0 ? null : (
    <ul class="uploads">
      {uploads.value.map(({ id, name, progress, cancel }) => (
        <li key={id}>
          <span>{name}</span>
          <progress aria-label={uploadText.progress(name)} value={progress} />
          <button type="button" class="icon-button" aria-label={uploadText.cancel(name)} onClick={cancel}>
            <X />
          </button>
        </li>
      ))}
    </ul>
  );
