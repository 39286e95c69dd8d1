import { X } from 'lucide-preact';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { isAdmin } from '../../data/people/rights.ts';
import { connection } from '../../data/session/session.ts';
import { customEmojiText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';

interface RealmEmoji {
  id: string;
  name: string;
  source_url: string;
  deactivated: boolean;
  author_id: number | null;
}

/** The organization's own emoji. */
export function Emoji() {
  const emoji = Object.values(own('realm_emoji') as Record<string, RealmEmoji>)
    .filter(({ deactivated }) => !deactivated)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <Form
        submit={commonText.add}
        label={customEmojiText.title}
        act={async (fields, form) => {
          const file = fields.get('picture');
          if (!(file instanceof File) || file.size === 0) throw new Error(commonText.imageMissing);
          const name = textOf(fields, 'name').trim().toLowerCase();
          await connection().upload(`/realm/emoji/${encodeURIComponent(name)}`, file);
          form.reset();
        }}
      >
        <label>
          {commonText.name}
          <input name="name" required />
        </label>
        <label>
          {customEmojiText.picture}
          <input name="picture" type="file" accept="image/*" />
        </label>
      </Form>
      <ul class="plain-list">
        {emoji.map(({ id, name, source_url, author_id }) => (
          <li key={id}>
            <img src={source_url} alt="" width="24" height="24" /> :{name}:{' '}
            {author_id !== null && <span class="dim">{customEmojiText.by(nameOfUser(author_id))}</span>}{' '}
            {(isAdmin() || author_id === own('user_id')) && (
              <ActButton
                class="icon-button"
                label={commonText.removeName(name)}
                act={() => connection().delete(`/realm/emoji/${encodeURIComponent(name)}`)}
              >
                <X />
              </ActButton>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
