import { pause } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';

import { showError } from '../toasts/toasts.tsx';

import './forms.css';
import type { SettingRow, SettingValue } from './setting-row.ts';

interface SettingFieldsProps<Name extends string> {
  title: string;
  rows: readonly SettingRow<Name>[];
  readonly read: (name: Name) => unknown;
  /** Is called when a field is changed. If it throws, a toast shows why, and the field is reset. */
  readonly save: (name: Name, value: SettingValue) => Promise<unknown>;
  isDisabled?: boolean;
}

/** Settings that apply as soon as they are changed. */
export const SettingFields = <Name extends string>({ title, rows, ...rest }: SettingFieldsProps<Name>) => (
  <fieldset class="settings-group">
    <legend>{title}</legend>
    {rows.map((row) => (
      <SettingField key={row.name} row={row} {...rest} />
    ))}
  </fieldset>
);

interface SettingGroupsProps<Name extends string> extends Omit<SettingFieldsProps<Name>, 'title' | 'rows'> {
  /** The rows below each title. */
  groups: Readonly<Record<string, readonly SettingRow<Name>[]>>;
}

/** Groups of settings, one below the other. */
export const SettingGroups = <Name extends string>({ groups, ...rest }: SettingGroupsProps<Name>) => (
  <>
    {Object.entries(groups).map(([title, rows]) => (
      <SettingFields key={title} title={title} rows={rows} {...rest} />
    ))}
  </>
);

interface FieldProps<Name extends string> extends Omit<SettingFieldsProps<Name>, 'title' | 'rows'> {
  row: SettingRow<Name>;
}

function SettingField<Name extends string>({ row, read, save, isDisabled = false }: FieldProps<Name>) {
  const id = useId();
  const { value, send } = useChosen(read(row.name), (next) => save(row.name, next));
  const described = row.help === undefined ? {} : { 'aria-describedby': `${id}-help` };
  return (
    <div class="setting-row">
      <div>
        <label htmlFor={id}>{row.label}</label>
        {row.help !== undefined && (
          <p id={`${id}-help`} class="dim">
            {row.help}
          </p>
        )}
      </div>
      {row.kind === 'toggle' ? (
        <input
          id={id}
          type="checkbox"
          class="switch"
          {...described}
          checked={value === true}
          disabled={isDisabled}
          onChange={({ currentTarget }) => void send(currentTarget.checked)}
        />
      ) : row.kind === 'choice' ? (
        <select
          id={id}
          {...described}
          disabled={isDisabled}
          onChange={({ currentTarget }) => void send(row.choices[currentTarget.selectedIndex]?.[0] ?? null)}
        >
          {row.choices.map(([choice, text]) => (
            <option key={String(choice)} selected={choice === value}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          {...described}
          type={row.kind}
          value={typeof value === 'string' || typeof value === 'number' ? value : ''}
          disabled={isDisabled}
          {...(row.kind === 'number' ? { min: row.min, max: row.max } : { maxLength: row.max })}
          onChange={({ currentTarget }) =>
            void send(row.kind === 'number' ? Number(currentTarget.value) : currentTarget.value)
          }
        />
      )}
    </div>
  );
}

/** An event that has not come so long after the answer says nothing of this change. */
const eventMs = 5000;

/**
 * Returns what a field shows: what was chosen in it, until the state says so or the server has refused it. What else changes
 * meanwhile would set it back for a moment.
 */
function useChosen(known: unknown, save: (next: SettingValue) => Promise<unknown>) {
  const chosen = useSignal<{ value: SettingValue } | null>(null);
  useEffect(() => {
    if (known === chosen.peek()?.value) chosen.value = null;
  }, [known]);
  async function send(next: SettingValue): Promise<void> {
    const mine = { value: next };
    chosen.value = mine;
    try {
      await save(next);
      await pause(eventMs);
    } catch (error) {
      showError(error);
    }
    if (chosen.peek() === mine) chosen.value = null;
  }
  return { value: chosen.value ? chosen.value.value : known, send };
}
