export type SettingValue = boolean | number | string | null;

/** A setting that people choose, and how. */
export type SettingRow<Name extends string = string> = {
  name: Name;
  label: string;
  /** What it does, where its label does not say all of it. */
  help?: string;
} & (
  | { kind: 'toggle' }
  | { kind: 'choice'; choices: readonly (readonly [value: SettingValue, text: string])[] }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'text'; max: number }
);

export const toggle = <Name extends string>(name: Name, label: string, help?: string): SettingRow<Name> => ({
  kind: 'toggle',
  name,
  label,
  ...(help !== undefined && { help }),
});

export const choice = <Name extends string>(
  name: Name,
  label: string,
  choices: readonly (readonly [SettingValue, string])[],
  help?: string,
): SettingRow<Name> => ({
  kind: 'choice',
  name,
  label,
  choices,
  ...(help !== undefined && { help }),
});

export const text = <Name extends string>(
  name: Name,
  label: string,
  max: number,
  help?: string,
): SettingRow<Name> => ({ kind: 'text', name, label, max, ...(help !== undefined && { help }) });

export const number = <Name extends string>(
  name: Name,
  label: string,
  min: number,
  max: number,
): SettingRow<Name> => ({
  kind: 'number',
  name,
  label,
  min,
  max,
});
