import { type State } from '@parley/client';
import { useSignal } from '@preact/signals';

import { byteSize } from '../../base/fields/byte-size.ts';
import { ActButton } from '../../base/forms/act-button.tsx';
import { FilterText } from '../../base/forms/filter-fields.tsx';
import { narrowFragment } from '../../base/router/narrow.ts';
import { Skeleton } from '../../base/states/skeleton.tsx';
import { useListed } from '../../data/live/use-listed.ts';
import { dayOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { commonText } from '../../strings/common.ts';
import { uploadsText } from '../../strings/settings.ts';

type Uploads = NonNullable<State['uploads']>;
type Upload = Uploads extends Map<number, infer One> ? One : never;

/** The files that the person has uploaded: what they are, where they stand, and how much of the space they take. */
export function Uploads() {
  const query = useSignal('');
  const used = useSignal<number | null>(null);
  const uploads = useListed('uploads', async () => {
    type Reply = { attachments: Upload[]; upload_space_used: number };
    const { attachments, upload_space_used } = await connection().get<Reply>('/attachments');
    used.value = upload_space_used;
    return new Map(attachments.map((one) => [one.id, one]));
  });
  if (!uploads) return <Skeleton rows={6} kind="lines" />;
  const all = [...uploads.values()].sort((a, b) => b.create_time - a.create_time);
  const own = all.reduce((sum, { size }) => sum + size, 0);
  const shown = all.filter(({ name }) => name.toLowerCase().includes(query.value.trim().toLowerCase()));
  return (
    <>
      <p>
        {uploadsText.own(all.length, byteSize(own))}{' '}
        {used.value !== null && <span class="dim">{uploadsText.all(byteSize(used.value))}</span>}
      </p>
      {all.length > 0 && (
        <>
          <FilterText label={uploadsText.search} text={query.value} onText={(text) => (query.value = text)} />
          <Files files={shown} />
        </>
      )}
    </>
  );
}

const Files = ({ files }: { files: readonly Upload[] }) => (
  <div class="table-scroll">
    <table class="table">
      <thead>
        <tr>
          <th>{uploadsText.file}</th>
          <th>{uploadsText.uploaded}</th>
          <th>{uploadsText.size}</th>
          <th>{uploadsText.messages}</th>
          <th>
            <span class="visually-hidden">{commonText.delete}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {files.map(({ id, name, path_id, size, create_time, messages }) => (
          <tr key={id}>
            <th scope="row" dir="auto">
              <a href={`/user_uploads/${path_id}`} target="_blank" rel="noopener noreferrer">
                {name}
              </a>
            </th>
            <td>{dayOf(create_time / 1000)}</td>
            <td>{byteSize(size)}</td>
            <td>
              {messages.map((message, at) => (
                <a
                  key={message.id}
                  href={toMessage(message.id)}
                  aria-label={uploadsText.message(name, at + 1)}
                >
                  {at + 1}{' '}
                </a>
              ))}
              {messages.length === 0 && <span class="dim">{uploadsText.nowhere}</span>}
            </td>
            <td>
              <ActButton
                act={() => connection().delete(`/attachments/${id}`)}
                label={uploadsText.delete(name)}
                confirm={uploadsText.confirm(name)}
              >
                {commonText.delete}
              </ActButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The conversation of a message is found when somebody follows the link. */
const toMessage = (id: number) =>
  narrowFragment({ terms: [{ operator: 'with', operand: String(id), negated: false }], near: id });
