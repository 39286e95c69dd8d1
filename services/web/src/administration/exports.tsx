import type { State } from '@parley/client';
import { useSignal } from '@preact/signals';

import { ActButton } from '../forms/act-button.tsx';
import { part } from '../live/state.ts';
import { nameOfUser } from '../people/names.ts';
import { connection } from '../session/session.ts';
import { useListed } from './use-listed.ts';

type Export = NonNullable<State['exports']>[number];

/** An export of what is public, or also of what is private of those who consent. */
const types = [
  [1, 'What is public'],
  [2, 'Also what is private of those who consent'],
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
          aria-label="What is exported"
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
          Start an export
        </ActButton>
      </div>
      <ul class="plain-list" aria-live="polite">
        {exports
          ?.toSorted((a, b) => b.id - a.id)
          .map((one) => (
            <ExportRow key={one.id} one={one} />
          ))}
      </ul>
      {exports?.length === 0 && <p class="dim">There are no exports yet.</p>}
      <Consents />
    </>
  );
}

function ExportRow({ one }: { one: Export }) {
  const { id, acting_user_id, export_time, export_url, export_type, pending } = one;
  return (
    <li class="export">
      {new Date(export_time * 1000).toLocaleString()} by {nameOfUser(acting_user_id)}:{' '}
      {types.find(([value]) => value === export_type)?.[1]}. <Standing one={one} />{' '}
      <span class="row-actions">
        {/* Its file is at the address by which the page came, whichever of the organization's that is. */}
        {export_url !== null && (
          <a class="button" href={new URL(export_url, location.href).pathname} download>
            Download
          </a>
        )}
        {export_url !== null && !pending && (
          <ActButton act={() => connection().delete(`/export/realm/${id}`)}>Delete</ActButton>
        )}
      </span>
    </li>
  );
}

function Standing({ one: { pending, failed_timestamp, deleted_timestamp } }: { one: Export }) {
  if (failed_timestamp !== null) return <strong class="refusal-text">Failed.</strong>;
  if (deleted_timestamp !== null) return <span class="dim">Deleted.</span>;
  if (!pending) return <strong>Ready.</strong>;
  return (
    <>
      <progress aria-label="The export is made" /> It is being made.
    </>
  );
}

interface Consent {
  user_id: number;
  consented: boolean;
}

/** Who lets exports contain what is private of theirs. */
function Consents() {
  const consents = useListed('consents', async () => {
    const { export_consents } = await connection().get<{ export_consents: Consent[] }>(
      '/export/realm/consents',
    );
    return new Set(export_consents.flatMap(({ user_id, consented }) => (consented ? [user_id] : [])));
  });
  if (consents === null) return null;
  const people = [...part('users').values()].filter(({ is_bot }) => !is_bot).length;
  return (
    <>
      <h2>Consent</h2>
      <p>
        {consents.size} of {people} people let exports contain what is private of theirs
        {consents.size > 0 && `: ${[...consents].map(nameOfUser).join(', ')}`}.
      </p>
    </>
  );
}
