export type SettingValue = boolean | number | string | null;

/** A setting that people choose, and how. */
export type SettingRow<Name extends string = string> = { name: Name; label: string } & (
  | { kind: 'toggle' }
  | { kind: 'choice'; choices: readonly (readonly [value: SettingValue, text: string])[] }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'text'; max: number }
);

export const toggle = <Name extends string>(name: Name, label: string): SettingRow<Name> => ({
  kind: 'toggle',
  name,
  label,
});

export const choice = <Name extends string>(
  name: Name,
  label: string,
  choices: readonly (readonly [SettingValue, string])[],
): SettingRow<Name> => ({ kind: 'choice', name, label, choices });

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
