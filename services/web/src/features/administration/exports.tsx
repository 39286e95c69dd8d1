import type { State } from '@parley/client';
import { useSignal } from '@preact/signals';

import { ActButton } from '../../base/forms/act-button.tsx';
import { slice } from '../../data/live/state.ts';
import { useListed } from '../../data/live/use-listed.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { momentOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { exportText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';
import { listNames } from '../../strings/language.ts';

type Export = NonNullable<State['exports']>[number];

/** An export of what is public, or also of what is private of those who consent. */
const types = [
  [1, exportText.public],
  [2, exportText.consented],
] as const;

/** Exports of the organization: how they stand, live, and where they are. */
export function Exports() {
  const exports = useListed('exports', async () => {
    const { exports: listed } = await connection().get<{ exports: Export[] }>('/export/realm');
    return listed;
  });
  const type = useSignal<number>(1);
  return (
    <>
      <div class="row-actions">
        <select
          aria-label={exportText.type}
          value={type.value}
          onChange={({ currentTarget }) => (type.value = Number(currentTarget.value))}
        >
          {types.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <ActButton
          class="primary"
          act={() => connection().post('/export/realm', { export_type: type.peek() })}
        >
          {exportText.start}
        </ActButton>
      </div>
      <ul class="plain-list" aria-live="polite">
        {exports
          ?.toSorted((a, b) => b.id - a.id)
          .map((one) => (
            <ExportRow key={one.id} one={one} />
          ))}
      </ul>
      {exports?.length === 0 && <p class="dim">{exportText.none}</p>}
      <Consents />
    </>
  );
}

function ExportRow({ one }: { one: Export }) {
  const { id, acting_user_id, export_time, export_url, export_type, pending } = one;
  return (
    <li class="export">
      {exportText.title(
        momentOf(export_time),
        nameOfUser(acting_user_id),
        types.find(([value]) => value === export_type)?.[1] ?? '',
      )}{' '}
      <Standing one={one} />{' '}
      <span class="row-actions">
        {/* Its file is at the address by which the page came, whichever of the organization's that is. */}
        {export_url !== null && (
          <a class="button" href={new URL(export_url, location.href).pathname} download>
            {exportText.download}
          </a>
        )}
        {export_url !== null && !pending && (
          <ActButton act={() => connection().delete(`/export/realm/${id}`)}>{commonText.delete}</ActButton>
        )}
      </span>
    </li>
  );
}

function Standing({ one: { pending, failed_timestamp, deleted_timestamp } }: { one: Export }) {
  if (failed_timestamp !== null) return <strong class="refusal-text">{exportText.failed}</strong>;
  if (deleted_timestamp !== null) return <span class="dim">{exportText.deleted}</span>;
  if (!pending) return <strong>{exportText.ready}</strong>;
  return (
    <>
      <progress aria-label={exportText.progress} /> {exportText.underway}
    </>
  );
}

interface Consent {
  user_id: number;
  consented: boolean;
}

/** Shows who lets exports contain their private data. */
function Consents() {
  const consents = useListed('consents', async () => {
    const { export_consents } = await connection().get<{ export_consents: Consent[] }>(
      '/export/realm/consents',
    );
    return new Set(export_consents.flatMap(({ user_id, consented }) => (consented ? [user_id] : [])));
  });
  if (consents === null) return null;
  const people = [...slice('users').values()].filter(({ is_bot }) => !is_bot).length;
  return (
    <>
      <h2>{exportText.consents}</h2>
      <p>
        {exportText.consentCount(consents.size, people)} {listNames([...consents].map(nameOfUser))}
      </p>
    </>
  );
}
