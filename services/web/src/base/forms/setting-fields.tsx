import { useId } from 'preact/hooks';

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

interface FieldProps<Name extends string> extends Omit<SettingFieldsProps<Name>, 'title' | 'rows'> {
  row: SettingRow<Name>;
}

function SettingField<Name extends string>({ row, read, save, isDisabled = false }: FieldProps<Name>) {
  const id = useId();
  const value = read(row.name);
  const send = (field: HTMLInputElement | HTMLSelectElement, next: SettingValue) =>
    save(row.name, next).catch((error: unknown) => {
      showError(error);
      show(field, value);
    });
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
          onChange={({ currentTarget }) => void send(currentTarget, currentTarget.checked)}
        />
      ) : row.kind === 'choice' ? (
        <select
          id={id}
          {...described}
          disabled={isDisabled}
          onChange={({ currentTarget }) =>
            void send(currentTarget, row.choices[currentTarget.selectedIndex]?.[0] ?? null)
          }
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
            void send(
              currentTarget,
              row.kind === 'number' ? Number(currentTarget.value) : currentTarget.value,
            )
          }
        />
      )}
    </div>
  );
}

function show(field: HTMLInputElement | HTMLSelectElement, value: unknown): void {
  if (field instanceof HTMLSelectElement) {
    for (const option of field.options) option.selected = option.defaultSelected;
  } else if (field.type === 'checkbox') field.checked = value === true;
  else field.value = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
